#!/usr/bin/env python3
"""What intervals of values averaged over the game gain from a prior on how values change over the game.

    python3 slopes.py gamma2.json

Needs numpy. The model has two coefficients for each piece, on a full board and with few pieces. The prior: the difference of both is one
share of the piece's average for all pieces, which the games tell, with a standard deviation (`tau`, as a share of the average) between
pieces. Prints shares of the army with the half-widths (95%, delta method) of 1.96 standard errors, without a prior and for several tau.
"""

import json
import sys

import numpy as np


def main(path):
    with open(path) as file:
        report = json.load(file)
    fit, army = report["fit"], next(table for table in report["tables"] if table["unit"] == "army")
    columns, found, covariance = fit["columns"], np.array(fit["coefficients"]), np.array(fit["covariance"])
    left = (min(max(fit["pieces_left"], 0.25), 0.75) - 0.25) / 0.5
    names = [value["piece"] for value in army["values"] if f"{value['piece']} (full board)" in columns]
    members = army["definition"].split(" together")[0].split(", ")

    def contrast(name, full):
        row = np.zeros(len(columns))
        row[columns.index(f"{name} (full board)")] = full
        row[columns.index(f"{name} (few pieces)")] = 1.0 - full
        return row

    averages = np.array([contrast(name, left) for name in names])
    slopes = np.array([contrast(name, 1.0) - contrast(name, 0.0) for name in names])
    below = sum(averages[names.index(name)] for name in members) / army["total"]
    for tau in [None, 1.0, 0.5, 0.3, 0.2]:
        b, v = found, covariance
        if tau is not None:
            mean = averages @ found
            weight = np.linalg.inv(slopes @ covariance @ slopes.T + np.diag((tau * mean) ** 2))
            common = np.outer(weight @ mean, mean @ weight) / (mean @ weight @ mean)
            gain = covariance @ slopes.T @ (weight - common)
            b, v = found - gain @ (slopes @ found), covariance - gain @ slopes @ covariance
        row = []
        for name, average in zip(names, averages):
            share = (average @ b) / (below @ b)
            gradient = (average - share * below) / (below @ b)
            row.append(f"{name} {share:.2f} ± {1.96 * np.sqrt(gradient @ v @ gradient) / share:.1%}")
        print("no prior:" if tau is None else f"tau {tau}:", ", ".join(row))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
