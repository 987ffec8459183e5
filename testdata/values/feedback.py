#!/usr/bin/env python3
"""How much of what players believe comes back in measured values: compares runs whose players value some pieces higher and others lower
with runs in which it is the other way round.

    assay-selfplay generate gamma2 --games 2000 --nodes 400 --seed 7 --material values --evaluation network \\
        --jitter 20,N+25,B+25,A+25,R-25,S-25,P-25 --data up.db
    assay-selfplay generate gamma2 --games 2000 --nodes 400 --seed 7 --material values --evaluation network \\
        --jitter 20,N-25,B-25,A-25,R+25,S+25,P+25 --data down.db
    assay-tuner fit up.db --resamples 0 --json > up.json
    assay-tuner fit down.db --resamples 0 --json > down.json
    python3 feedback.py up.json down.json

Needs numpy. Prints for each pair of files: `f` = d log(measured) / d log(own), fitted to all pieces (weighted least squares with a common
factor), before and after the correction; what each run said of itself by its random factors; and, before and after, the chi-square of the
differences between both runs with its degrees of freedom, and of how many pieces the 95% intervals of the difference contain 0.
"""

import json
import sys

import numpy as np


class Run:
    """Logarithms of the values of pieces, with their covariance: coefficients before the correction, and the corrected table."""

    def __init__(self, path):
        with open(path) as file:
            report = json.load(file)
        fit, army = report["fit"], next(table for table in report["tables"] if table["unit"] == "army")
        self.game, columns = report["game"], fit["columns"]
        left = (min(max(fit["pieces_left"], 0.25), 0.75) - 0.25) / 0.5
        own = fit["feedback"]["own"]
        self.names = [value["piece"] for value in army["values"] if own.get(value["piece"], {}).get("value", 0) > 0]

        def contrast(name):
            row = np.zeros(len(columns))
            parts = [(name, 1.0), (f"{name} (full board)", left), (f"{name} (few pieces)", 1.0 - left)]
            for column, weight in parts:
                if column in columns:
                    row[columns.index(column)] = weight
            return row

        rows = np.array([contrast(name) for name in self.names])
        worth = rows @ fit["coefficients"]
        self.raw = np.log(worth), rows @ fit["covariance"] @ rows.T / np.outer(worth, worth)
        self.own = np.log([own[name]["value"] for name in self.names])
        self.feedback = fit["feedback"]["run"]
        places = [next(i for i, value in enumerate(army["values"]) if value["piece"] == name) for name in self.names]
        corrected = np.array([army["values"][place]["measured"]["value"] for place in places])
        covariance = np.array(army["covariance"])[np.ix_(places, places)]
        self.corrected = np.log(corrected), covariance / np.outer(corrected, corrected)


def compare(up, down, which):
    """Slope of the differences of logarithms on those of the own values, its error, chi-square, and pieces that agree."""
    (one, of_one), (other, of_other) = getattr(up, which), getattr(down, which)
    y, covariance = one - other, of_one + of_other
    x = up.own - down.own
    if which == "corrected":
        # Shares of a fixed sum: compared with own values of the same sum.
        share = np.exp(one) / np.exp(one).sum()
        x = x - share @ x
    weight = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    design = np.column_stack([x, np.ones(len(x))]) if which == "raw" else x[:, None]
    spread = np.linalg.inv(design.T @ weight @ design)
    slope = spread @ design.T @ weight @ y
    # Without a slope.
    rest = y
    if which == "raw":
        ones = np.ones((len(x), 1))
        rest = y - (ones.T @ weight @ y) / (ones.T @ weight @ ones)[0, 0]
    agree = int(np.sum(np.abs(rest) <= 1.96 * np.sqrt(np.diag(covariance))))
    return slope[0], 1.96 * np.sqrt(spread[0, 0]), rest @ weight @ rest, len(x) - 1, agree, len(x)


def main(paths):
    total, weight, lines = 0.0, 0.0, []
    for up, down in zip(paths[::2], paths[1::2]):
        up, down = Run(up), Run(down)
        before, after = compare(up, down, "raw"), compare(up, down, "corrected")
        runs = ", ".join(
            "?" if run.feedback is None else f"{run.feedback['value']:.2f} ± {np.ptp(run.feedback['interval']) / 2:.2f}" for run in (up, down)
        )
        print(
            f"{up.game}: f {before[0]:.2f} ± {before[1]:.2f} before, {after[0]:.2f} ± {after[1]:.2f} after; by the runs {runs}; "
            f"chi-square before {before[2]:.1f}, after {after[2]:.1f} ({before[3]} df); agree {before[4]}, {after[4]} of {before[5]}"
        )
        total, weight = total + before[0] / before[1] ** 2, weight + before[1] ** -2
    print(f"all: f {total / weight:.2f} ± {weight ** -0.5:.2f} before the correction")


if __name__ == "__main__":
    if len(sys.argv) < 3 or len(sys.argv) % 2 == 0:
        sys.exit(f"usage: {sys.argv[0]} UP.json DOWN.json [UP.json DOWN.json ...]")
    main(sys.argv[1:])
