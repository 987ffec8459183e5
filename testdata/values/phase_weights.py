#!/usr/bin/env python3
"""Shows how values of chess in minor pieces depend on the game phases that are averaged, beside published values.

    python3 phase_weights.py chess.json ../../rules/variants/chess.references.toml

Reads a measurement (`validate --json`) and published values. Needs numpy and Python 3.11. A value is (1 - w) times the
value on a full board plus w times the value with a quarter of the pieces left; w is in the first column. A minor piece is
the mean of the knight and of the bishop with half of the pair's bonus. Standard errors are those of the ratios (delta
method). z is the difference from the published ratio in standard errors.
"""

import json
import sys
import tomllib

import numpy as np

WEIGHTS = [0.0, 0.25, 0.5, 0.65, 0.7, 0.8, 0.9, 1.0]
PIECES = ["queen", "rook", "knight", "pawn"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        fit = json.load(file)["fit"]
    with open(sys.argv[2], "rb") as file:
        references = tomllib.load(file)["references"]
    coefficients, covariance = np.array(fit["coefficients"]), np.array(fit["covariance"])

    def combination(piece, weight):
        """The linear combination of coefficients that is the piece's value."""
        row = np.zeros(len(coefficients))
        row[fit["columns"].index(f"{piece} (full board)")] = 1 - weight
        row[fit["columns"].index(f"{piece} (few pieces)")] = weight
        return row

    titles = "".join(f"{'z: ' + reference['name']:>20}" for reference in references)
    print(f"   w  piece     minor pieces   {titles}")
    for weight in WEIGHTS:
        bishop = combination("bishop", weight) + combination("bishop pair", weight) / 2
        minor = (combination("knight", weight) + bishop) / 2
        for piece in PIECES:
            value = combination(piece, weight)
            ratio = (value @ coefficients) / (minor @ coefficients)
            contrast = (value - ratio * minor) / (minor @ coefficients)
            error = np.sqrt(contrast @ covariance @ contrast)
            line = f"{weight:4.2f}  {piece:6}  {ratio:7.4f} +/- {error:6.4f}"
            for reference in references:
                published = reference["values"]
                pair = reference.get("pairs", {}).get("bishop", 0.0)
                light = (published["knight"] + published["bishop"] + pair / 2) / 2
                line += f"{(ratio - published[piece] / light) / error:20.1f}"
            print(line)


main()
