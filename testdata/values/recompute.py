#!/usr/bin/env python3
"""Repeats a measurement without Assay's code: fits the positions exported by `assay-tuner fit --csv` and compares.

    assay-tuner fit gamma2.db --csv gamma2.csv --json > gamma2.json
    python3 recompute.py gamma2.csv gamma2.json

Needs numpy. The model is a proportional odds regression of White's score on material differences with
symmetric thresholds, maximized by Newton steps with a Hessian from differences of the gradient. What
comes back of the players' own values is estimated and taken out of the coefficients, as
docs/statistics.md says; the own values themselves are read from `fit.feedback.own`. Compared are the
coefficients and their errors, the feedback, and the values in shares of the army in all phases, with
Fieller's intervals and the covariance. Prints the largest differences and fails (exit status 1) if one
exceeds a millionth.
"""

import json
import sys

import numpy as np

TOLERANCE = 1e-6


def read(path):
    with open(path) as file:
        names = file.readline().strip().split(",")
    rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    return names, rows


def expit(number):
    return np.exp(-np.logaddexp(0.0, -number))


class ProportionalOdds:
    """P(score <= level j) = logistic(threshold j - z), thresholds symmetric about 0."""

    def __init__(self, scores, weights, design):
        self.weights, self.design = weights, design
        seen = set(scores) | {1 - score for score in scores} | {0.0, 1.0}
        self.levels = np.array(sorted(seen))
        self.result = np.searchsorted(self.levels, scores)
        inner = len(self.levels) - 1
        self.free = inner // 2
        # Thresholds between the levels are linear in the free ones, which are those above the middle.
        self.mirror = np.zeros((inner, self.free))
        for index in range(self.free):
            self.mirror[inner - self.free + index, index] = 1.0
            self.mirror[self.free - 1 - index, index] = -1.0

    def rows(self, parameters):
        """Log-likelihood and gradient of each row."""
        columns = self.design.shape[1]
        inner = self.mirror @ parameters[columns:]
        thresholds = np.concatenate([[-np.inf], inner, [np.inf]])
        z = self.design @ parameters[:columns]
        upper, lower = expit(thresholds[self.result + 1] - z), expit(thresholds[self.result] - z)
        probability = upper - lower
        slope_upper, slope_lower = upper * (1 - upper) / probability, lower * (1 - lower) / probability
        gradient = np.zeros((len(z), len(parameters)))
        gradient[:, :columns] = -(slope_upper - slope_lower)[:, None] * self.design
        zero = np.zeros((1, self.free))
        edges = np.concatenate([zero, self.mirror, zero])
        gradient[:, columns:] = slope_upper[:, None] * edges[self.result + 1] - slope_lower[:, None] * edges[self.result]
        return np.log(probability), gradient

    def objective(self, parameters):
        above = parameters[self.design.shape[1] :]
        if np.any(np.diff(np.concatenate([[0.0], above])) <= 0):
            return np.inf, np.zeros_like(parameters)
        value, gradient = self.rows(parameters)
        total = self.weights.sum()
        return -(self.weights @ value) / total, -(self.weights @ gradient) / total

    def fit(self):
        found = np.concatenate([np.zeros(self.design.shape[1]), 0.7 * np.arange(1, self.free + 1)])
        for _ in range(50):
            value, gradient = self.objective(found)
            step = np.linalg.solve(self.hessian(found), gradient)
            while self.objective(found - step)[0] > value + 1e-14:
                step /= 2
            found = found - step
            if np.abs(step).max() < 1e-12:
                break
        return found, self.hessian(found)

    def hessian(self, parameters, width=1e-5):
        columns = []
        for index in range(len(parameters)):
            shift = np.zeros_like(parameters)
            shift[index] = width
            difference = self.objective(parameters + shift)[1] - self.objective(parameters - shift)[1]
            columns.append(difference / (2 * width))
        hessian = np.array(columns)
        return (hessian + hessian.T) / 2


def covariance(model, parameters, hessian, clusters):
    """Clustered by opening pair with the correction CR2, and what the degrees of freedom follow from: a root of the inverse information and the
    leverages of the pairs.
    """
    count, size = clusters.max() + 1, len(parameters)

    def scores(parameters):
        sums = np.zeros((count, size))
        np.add.at(sums, clusters, model.weights[:, None] * model.rows(parameters)[1])
        return sums

    information = np.zeros((count, size, size))
    for index, shift in enumerate(1e-5 * np.eye(size)):
        information[:, index] = (scores(parameters - shift) - scores(parameters + shift)) / 2e-5
    root = np.linalg.cholesky(np.linalg.inv(hessian * model.weights.sum()))
    leverages = root.T @ ((information + information.transpose(0, 2, 1)) / 2) @ root
    values, vectors = np.linalg.eigh(leverages)
    factors = np.where(1 - values > 1e-9, np.maximum(1 - values, 1e-9) ** -0.5, 0)
    adjusted = vectors @ (factors[:, :, None] * (vectors.transpose(0, 2, 1) @ (scores(parameters) @ root)[:, :, None]))
    errors = adjusted[:, :, 0] @ root.T
    return errors.T @ errors, root, leverages


def critical_value(combination, root, leverages):
    """The 97.5% quantile of Student's t: one degree of freedom less than the effective number of opening pairs."""
    direction = root.T @ combination
    shares = direction @ leverages @ direction / (direction @ direction)
    df, z = max(1 / (shares**2).sum() - 1, 1), 1.959963984540054
    return z + sum(
        coefficient @ z ** np.arange(1, 2 * len(coefficient), 2) / scale / df ** (order + 1)
        for order, (coefficient, scale) in enumerate(EXPANSION)
    )


# Of the quantiles of Student's t in the reciprocal of the degrees of freedom (Fisher and Cornish 1960): coefficients of the odd powers of z.
EXPANSION = [
    (np.array([1, 1]), 4),
    (np.array([3, 16, 5]), 96),
    (np.array([-15, 17, 19, 3]), 384),
    (np.array([-945, -1920, 1482, 776, 79]), 92160),
]


def main(csv, report):
    names, rows = read(csv)
    with open(report) as file:
        expected = json.load(file)
    fixed = ["pair", "game", "score", "weight", "positions"]
    assert names[: len(fixed)] == fixed, names
    clusters = np.unique(rows[:, 0], return_inverse=True)[1]
    model = ProportionalOdds(rows[:, 2], rows[:, 3], rows[:, len(fixed) :])
    parameters, hessian = model.fit()
    spread, root, leverages = covariance(model, parameters, hessian, clusters)
    fit = expected["fit"]
    differences = {
        "coefficients": np.abs(parameters - fit["coefficients"]).max(),
        "standard errors": np.abs(np.sqrt(np.diag(spread)) / fit["standard_errors"] - 1).max(),
    }
    corrected, jacobian, by_prior = parameters, np.eye(len(parameters)), np.zeros(len(parameters))
    army = Army(expected)
    if "feedback" in fit:
        feedback = OwnValues(army, fit, parameters, spread)
        differences["feedback"] = feedback.difference(parameters, spread, root, leverages)
        corrected, jacobian, by_prior = feedback.corrected(parameters)
    differences |= army.differences(corrected, spread, root, leverages, jacobian, by_prior)
    print(f"{len(rows)} rows, {clusters.max() + 1} opening pairs, {len(parameters)} parameters")
    for name, difference in differences.items():
        print(f"largest difference of {name}: {difference:.2g}")
    return 0 if max(differences.values()) < TOLERANCE else 1


def fieller(numbers, covariance, t):
    """Interval of a ratio; `None` if it is unbounded."""
    form = np.outer(numbers, numbers) - t**2 * covariance
    a, b, c = form[1, 1], form[0, 1], form[0, 0]
    width = np.sqrt(max(b * b - a * c, 0))
    ends = [(b - width) / a, (b + width) / a] if a > 0 else [-np.inf, np.inf]
    return None if max(map(abs, ends)) > 1e6 else ends


def distance(ends, estimate):
    """Largest difference of a value and the ends of its interval from those of an estimate in the report."""
    value, interval = ends
    if interval is None or estimate["interval"] is None:
        return abs(value - estimate["value"]) if interval == estimate["interval"] else np.inf
    return np.abs(np.array([value, *interval]) - [estimate["value"], *estimate["interval"]]).max()


class Army:
    """The unit of values: the pieces of the army together are worth what the report says."""

    def __init__(self, report):
        fit = report["fit"]
        self.columns, self.left = fit["columns"], fit["pieces_left"]
        self.table = next(table for table in report["tables"] if table["unit"] == "army")
        self.rows = {value["piece"]: value for value in self.table["values"]}
        self.members = self.table["definition"].split(" together")[0].split(", ")

    def contrast(self, name, left):
        result = np.zeros(len(self.columns))
        if name in self.columns:
            result[self.columns.index(name)] = 1.0
        else:
            full = (min(max(left, 0.25), 0.75) - 0.25) / 0.5
            result[self.columns.index(f"{name} (full board)")] = full
            result[self.columns.index(f"{name} (few pieces)")] = 1.0 - full
        return result

    def worth(self, piece, left):
        """Contrast of a piece, with half of its pair's bonus if the published value includes that."""
        pair = self.contrast(f"{piece} pair", left) / 2 if self.rows[piece]["with_half_pair"] else 0
        return self.contrast(piece, left) + pair

    def total(self, left):
        return sum(self.worth(piece, left) for piece in self.members)

    def differences(self, coefficients, spread, root, leverages, jacobian, by_prior):
        """`jacobian` and `by_prior` are the derivatives of the coefficients by those of the fit and by the prior."""
        covariance = jacobian @ spread @ jacobian.T + np.outer(by_prior, by_prior)
        shares, gradients = 0.0, []
        for piece, row in self.rows.items():
            for phase, left in [("measured", self.left), ("full_board", 1.0), ("few_pieces", 0.25)]:
                above, below = self.worth(piece, left), self.total(left) / self.table["total"]
                numbers = np.array([above, below]) @ coefficients
                ratio = numbers[0] / numbers[1]
                error = above - ratio * below
                t = critical_value(jacobian.T @ error, root, leverages)
                interval = fieller(numbers, np.array([above, below]) @ covariance @ np.array([above, below]).T, t)
                shares = max(shares, distance((ratio, interval), row[phase]))
                if phase == "measured":
                    gradients.append(error / numbers[1])
        found = np.array(gradients) @ covariance @ np.array(gradients).T
        known = np.array(self.table["covariance"])
        errors = np.sqrt(np.outer(known.diagonal(), known.diagonal()))
        return {"army shares": shares, "their covariance": np.abs((found - known) / errors).max()}


class OwnValues:
    """What the players believe pieces to be worth, and how much of that comes back in the coefficients."""

    def __init__(self, army, fit, parameters, spread):
        self.army, self.known, self.t = army, fit["feedback"], fit["critical_value"]
        self.own = {piece: self.known["own"][piece]["value"] for piece in army.rows if piece in self.known["own"]}
        assert set(army.members) <= set(self.own), "a piece of the army without a value"
        self.own_army = sum(self.own[piece] for piece in army.members)
        self.varied = army.contrast("own values", army.left) if "own values" in army.columns else None
        prior = self.known["prior"]
        precision = prior["standard_deviation"] ** -2
        self.weight = 0.0
        if self.varied is not None:
            gradient = numerical(lambda point: self.run(point), parameters)
            run_precision = 1 / (gradient @ spread @ gradient)
            self.weight = run_precision / (run_precision + precision)
            precision += run_precision
        self.error = precision**-0.5

    def scale(self, coefficients):
        """Log-odds of what players believe to be worth a pawn."""
        return self.army.total(self.army.left) @ coefficients / self.own_army

    def run(self, coefficients):
        """The feedback in the games alone."""
        return 0.0 if self.varied is None else self.varied @ coefficients / self.scale(coefficients)

    def used(self, coefficients, prior):
        return self.weight * self.run(coefficients) + (1 - self.weight) * prior

    def without(self, coefficients, prior):
        """The coefficients without feedback: those of a piece keep their ratios, and the army keeps its sum."""
        army, feedback, scale = self.army, self.used(coefficients, prior), self.scale(coefficients)
        factors = {}
        for piece, own in self.own.items():
            value = army.worth(piece, army.left) @ coefficients
            log = np.clip(np.log(value / own / scale), -np.log(2), np.log(2)) if value > 0 else 0.0
            factors[piece] = np.exp(feedback / (1 - feedback) * log)
        total = sum(factors[piece] * army.worth(piece, army.left) @ coefficients for piece in army.members)
        common = self.own_army * scale / total
        result = coefficients.copy()
        for index, column in enumerate(army.columns):
            name = column.removesuffix(" (full board)").removesuffix(" (few pieces)")
            for piece, factor in factors.items():
                parts = ["{}", "{} pair", "second {}", "{} in hand", "{} against a major"]
                if name in [part.format(piece) for part in parts]:
                    result[index] *= common * factor
        return result

    def corrected(self, coefficients):
        """The coefficients without feedback, and their derivatives: by the coefficients of the fit, and by the prior's
        mean in standard deviations.
        """
        mean, deviation = self.known["prior"]["mean"], self.known["prior"]["standard_deviation"]
        by_coefficients = numerical(lambda point: self.without(point, mean), coefficients)
        by_prior = numerical(lambda point: self.without(coefficients, point[0]), np.array([mean]))
        return self.without(coefficients, mean), by_coefficients, by_prior[:, 0] * deviation

    def difference(self, coefficients, spread, root, leverages):
        """Largest difference of the feedback from that in the report."""
        used = self.used(coefficients, self.known["prior"]["mean"])
        largest = distance((used, [used - self.t * self.error, used + self.t * self.error]), self.known["used"])
        if self.varied is None:
            return largest
        parts = np.array([self.varied, self.army.total(self.army.left) / self.own_army])
        error = parts[0] - self.run(coefficients) * parts[1]
        interval = fieller(parts @ coefficients, parts @ spread @ parts.T, critical_value(error, root, leverages))
        return max(largest, distance((self.run(coefficients), interval), self.known["run"]))


def numerical(function, point, width=1e-5):
    """Derivatives by central differences, the last index that of the point."""
    shifts = width * np.eye(len(point))
    return np.array([(function(point + shift) - function(point - shift)) / (2 * width) for shift in shifts]).T


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} POSITIONS.csv MEASUREMENT.json")
    sys.exit(main(*sys.argv[1:]))
