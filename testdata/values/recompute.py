#!/usr/bin/env python3
"""Repeats a measurement without Assay's code: fits the positions exported by `assay-tuner fit --csv` and compares.

    assay-tuner fit gamma2.db --csv gamma2.csv --json > gamma2.json
    python3 recompute.py gamma2.csv gamma2.json

Needs numpy. The model is a proportional odds regression of White's score on material differences with symmetric thresholds, maximized by
Newton steps with a Hessian from differences of the gradient. Values are shares of the army, with Fieller's intervals; they are
compared if they are not corrected for what the players believe (`fit.feedback`), which this script does not repeat. Prints the largest
differences and fails (exit status 1) if one exceeds a millionth.
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
    if "feedback" not in fit:
        army = next(unit for unit in expected["tables"] if unit["unit"] == "army")
        differences["army shares"] = army_differences(army, fit, parameters, spread, root, leverages)
    print(f"{len(rows)} rows, {clusters.max() + 1} opening pairs, {len(parameters)} parameters")
    for name, difference in differences.items():
        print(f"largest difference of {name}: {difference:.2g}")
    return 0 if max(differences.values()) < TOLERANCE else 1


def army_differences(army, fit, parameters, spread, root, leverages):
    """Largest difference of a value or of an end of its Fieller interval."""
    columns, left = fit["columns"], fit["pieces_left"]
    full, full_share = 0.75 if fit["phase_model"] == "piecewise" else 1.0, 0.0
    if fit["phase_model"] != "constant":
        full_share = (min(max(left, 0.25), full) - 0.25) / (full - 0.25)

    def contrast(name):
        result = np.zeros(len(columns))
        if name in columns:
            result[columns.index(name)] = 1.0
        else:
            result[columns.index(f"{name} (full board)")] = full_share
            result[columns.index(f"{name} (few pieces)")] = 1.0 - full_share
        return result

    def worth(value):
        result = contrast(value["piece"])
        return result + contrast(f"{value['piece']} pair") / 2 if value["with_half_pair"] else result

    members = army["definition"].split(" together")[0].split(", ")
    below = sum(worth(value) for value in army["values"] if value["piece"] in members) / army["total"]
    largest = 0.0
    for value in army["values"]:
        above = worth(value)
        n, d = above @ parameters, below @ parameters
        vn, vd, c = above @ spread @ above, below @ spread @ below, above @ spread @ below
        t = critical_value(above - n / d * below, root, leverages) ** 2
        a, b, e = d * d - t * vd, n * d - t * c, n * n - t * vn
        width = np.sqrt(b * b - a * e)
        ends = [n / d, (b - width) / a, (b + width) / a]
        measured = value["measured"]
        known = [measured["value"], *measured["interval"]]
        largest = max(largest, *(abs(one - other) for one, other in zip(ends, known)))
    return largest


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} POSITIONS.csv MEASUREMENT.json")
    sys.exit(main(*sys.argv[1:]))
