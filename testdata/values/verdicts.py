"""False and true verdicts on pieces by several rules, in simulated measurements with the covariances of the stored ones.

    python verdicts.py [measurements for each truth, 1000]

A measurement is drawn around a truth in log-odds of the pieces: nothing differs from what is published, one piece is worth more, two differ
in opposite directions or in the same one, or half of them (of five, two) are worth 10% more. A verdict is false if a piece that does not
differ is called different, or one that differs is called different in the other direction; where no majority agrees, only the second counts,
for both halves. Printed for each rule and truth: the share of measurements with a false verdict, in the game in which it is largest, and the
mean share of the differing pieces that are found.

Rules: the common factor is the mean of the pieces that Huber's estimate does not clip, or the median, with each piece at 95%, or all of them
together (Bonferroni, Holm, or by the distribution of the largest deviation); "sets" finds the maximal sets of pieces whose ratios a chi-square test at 5% accepts, of more than half of the
pieces, and calls a piece different if it is in none of them; "pairs" tests all ratios of two pieces with Holm's correction, and calls a piece
different if it differs from more than half of the others. Needs numpy and scipy.
"""

import itertools
import json
import sys
from pathlib import Path

import numpy as np
from scipy import stats

GAMES = ["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"]
PIECES = 8  # at most, the most valuable ones: the number of sets grows exponentially


def covariance(game):
    """Of the logarithms of the values of the pieces, half of the pair's bonus included, averaged over the game."""
    report = json.loads((Path(__file__).parent / f"{game}.json").read_text())
    fit = report["fit"]
    full = min(max((fit["pieces_left"] - 0.25) / 0.5, 0), 1)

    def contrast(name):
        weights = {name: 1, f"{name} (full board)": full, f"{name} (few pieces)": 1 - full}
        return np.array([weights.get(column, 0) for column in fit["columns"]], float)

    worths = []
    for value in report["tables"][0]["values"]:
        if value["published"]:
            half_pair = value["with_half_pair"] * contrast(value["piece"] + " pair") / 2
            worths.append(contrast(value["piece"]) + half_pair)
    worths = np.array(worths[:PIECES])
    values = worths @ np.array(fit["coefficients"])
    return worths @ np.array(fit["covariance"]) @ worths.T / np.outer(values, values)


def huber(numbers):
    """The weight of each number in the mean of those that Huber's M-estimate of the location does not clip, and that estimate."""
    location = np.median(numbers)
    bound = 1.345 * np.median(abs(numbers - location)) / 0.6745
    for _ in range(100):
        inside = abs(numbers - location) <= bound
        step = np.clip(numbers - location, -bound, bound).sum() / max(inside.sum(), 1)
        location += step
        if abs(step) < 1e-12:
            break
    return inside / max(inside.sum(), 1), location


def median(numbers):
    order = np.argsort(numbers)
    middle = order[(len(order) - 1) // 2 : len(order) // 2 + 1]
    weights = np.zeros(len(numbers))
    weights[middle] = 1 / len(middle)
    return weights, weights @ numbers


def holm(p, level):
    rejected = np.zeros(len(p), bool)
    for rank, index in enumerate(np.argsort(p)):
        if p[index] > level / (len(p) - rank):
            break
        rejected[index] = True
    return rejected


def by_factor(factor, correct, at_location=False):
    def rule(numbers, game):
        weights, location = factor(numbers)
        apart = np.eye(len(numbers)) - weights
        errors = np.sqrt(np.maximum(np.diag(apart @ game["covariance"] @ apart.T), 1e-12))
        distances = numbers - location if at_location else apart @ numbers
        p = 2 * stats.norm.sf(abs(distances) / errors)
        return np.where(correct(p), np.sign(distances), 0)

    return rule


def by_largest(numbers, game):
    """By the median, with the 95% quantile of the largest of all deviations in standard errors."""
    weights, _ = median(numbers)
    apart = np.eye(len(numbers)) - weights
    known = game.setdefault("quantiles", {})
    if tuple(weights) not in known:
        covariance = apart @ game["covariance"] @ apart.T
        errors = np.sqrt(np.maximum(np.diag(covariance), 1e-12))
        draws = apart @ game["root"] @ np.random.default_rng(2).standard_normal((len(numbers), 16384))
        known[tuple(weights)] = errors, np.quantile(abs(draws / errors[:, None]).max(axis=0), 0.95)
    errors, quantile = known[tuple(weights)]
    distances = apart @ numbers
    return np.where(abs(distances) > quantile * errors, np.sign(distances), 0)


def by_sets(numbers, game):
    accepted = []
    for pieces, form, limit in game["sets"]:  # the largest first
        if numbers @ form @ numbers <= limit and not any(pieces < known for known in accepted):
            accepted.append(pieces)
    verdicts = np.zeros(len(numbers))
    for piece in range(len(numbers)) if accepted else []:
        if not any(piece in pieces for pieces in accepted):
            sides = {np.sign(numbers[piece] - numbers[list(pieces)].mean()) for pieces in accepted}
            verdicts[piece] = sides.pop() if len(sides) == 1 else 0
    return verdicts


def by_pairs(numbers, game):
    pairs = list(itertools.combinations(range(len(numbers)), 2))
    differences = np.array([numbers[one] - numbers[other] for one, other in pairs])
    rejected = holm(2 * stats.norm.sf(abs(differences) / game["pair errors"]), 0.05)
    above, below = np.zeros(len(numbers)), np.zeros(len(numbers))
    for (one, other), difference, is_rejected in zip(pairs, differences, rejected):
        if is_rejected:
            above[one if difference > 0 else other] += 1
            below[other if difference > 0 else one] += 1
    half = (len(numbers) - 1) / 2
    return np.where(above > half, 1, np.where(below > half, -1, 0))


RULES = {
    "Huber, each piece at 95%": by_factor(huber, lambda p: p < 0.05),
    "Huber, Holm at 95%": by_factor(huber, lambda p: holm(p, 0.05)),
    "Huber, Bonferroni at 95%": by_factor(huber, lambda p: p < 0.05 / len(p)),
    "Huber's location, Bonferroni at 95%": by_factor(huber, lambda p: p < 0.05 / len(p), at_location=True),
    "median, each piece at 95%": by_factor(median, lambda p: p < 0.05),
    "median, Holm at 95%": by_factor(median, lambda p: holm(p, 0.05)),
    "median, Bonferroni at 95%": by_factor(median, lambda p: p < 0.05 / len(p)),
    "median, largest deviation at 95% (Assay)": by_largest,
    "sets": by_sets,
    "pairs": by_pairs,
}


def described(game):
    cov = covariance(game)
    count = len(cov)
    sets = []
    for size in range(count, count // 2, -1):
        for pieces in itertools.combinations(range(count), size):
            apart = np.zeros((size - 1, count))
            apart[range(size - 1), pieces[:-1]], apart[:, pieces[-1]] = 1, -1
            form = apart.T @ np.linalg.inv(apart @ cov @ apart.T) @ apart
            sets.append((frozenset(pieces), form, stats.chi2.ppf(0.95, size - 1)))
    pairs = itertools.combinations(range(count), 2)
    errors = [np.sqrt(cov[one, one] + cov[other, other] - 2 * cov[one, other]) for one, other in pairs]
    return {"covariance": cov, "root": np.linalg.cholesky(cov), "sets": sets, "pair errors": np.array(errors)}


def truths(count):
    """Logarithms of worth over published value."""
    unit = np.eye(count)
    yield "nothing differs", [np.zeros(count)]
    for more in (0.10, 0.18, 0.30):
        yield f"one piece +{more:.0%}", [np.log1p(more) * piece for piece in unit]
    pairs = itertools.islice(itertools.combinations(range(count), 2), 6)
    yield "two pieces +18%, -15%", [np.log(1.18) * (unit[one] - unit[other]) for one, other in pairs]
    pairs = itertools.islice(itertools.combinations(range(count), 2), 6)
    yield "two pieces +18%", [np.log(1.18) * (unit[one] + unit[other]) for one, other in pairs]
    half = np.log(1.1) * np.array([np.arange(count) < count // 2, np.arange(count) % 2 == 0])
    yield "half of the pieces +10%", list(half)


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    random = np.random.default_rng(1)
    found = {}
    for game in map(described, GAMES):
        root = game["root"]
        for name, cases in truths(len(root)):
            false, power = np.zeros(len(RULES)), np.zeros(len(RULES))
            repeats = max(wanted // len(cases), 1)
            for truth in cases:
                no_reference = 2 * (truth != 0).sum() >= len(truth)
                for numbers in truth + (root @ random.standard_normal((len(root), repeats))).T:
                    for index, rule in enumerate(RULES.values()):
                        verdicts, same = rule(numbers, game), truth == 0
                        wrong = verdicts * np.where(same, -1, 1) < 0 if no_reference else np.where(same, verdicts != 0, verdicts * truth < 0)
                        false[index] += wrong.any()
                        power[index] += (verdicts == np.sign(truth))[~same].mean() if (~same).any() else 0
            for rule, share, hits in zip(RULES, false, power):
                found.setdefault((rule, name), []).append((share / repeats / len(cases), hits / repeats / len(cases)))
    for rule in RULES:
        print(rule)
        for name, _ in truths(PIECES):
            shares = np.array(found[rule, name])
            print(f"    {name:24} false {100 * shares[:, 0].max():5.1f}%   found {100 * shares[:, 1].mean():5.1f}%")


if __name__ == "__main__":
    main()
