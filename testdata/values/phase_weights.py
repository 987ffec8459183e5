#!/usr/bin/env python3
"""Shows how values of chess in minor pieces depend on the game phases that are averaged, beside published values.

    python3 phase_weights.py chess.json ../../rules/variants/chess.references.toml

Reads a measurement (`validate --json`) and published values. Needs numpy and Python 3.11. A value is (1 - w) times the
value on a full board plus w times the value with a quarter of the pieces left; w is in the first column. A minor piece is
the mean of the knight and of the bishop with half of the pair's bonus. Values are corrected by what the players believe,
as in the report (docs/statistics.md, "The players' own values"). Standard errors are those of the ratios (delta method,
with numerical derivatives) and include those of the correction. z is the difference from the published ratio in standard
errors.
"""

import json
import sys
import tomllib

import numpy as np

WEIGHTS = [0.0, 0.25, 0.5, 0.65, 0.7, 0.8, 0.9, 1.0]
PIECES = ["queen", "rook", "knight", "pawn"]
ARMY = ["queen", "rook", "bishop", "knight"]
STEP = 1e-5


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        fit = json.load(file)["fit"]
    with open(sys.argv[2], "rb") as file:
        references = tomllib.load(file)["references"]
    columns, coefficients, covariance = fit["columns"], np.array(fit["coefficients"]), np.array(fit["covariance"])
    feedback = fit["feedback"]
    own = {piece: value["value"] for piece, value in feedback["own"].items()}
    prior, deviation = feedback["prior"]["mean"], feedback["prior"]["standard_deviation"]
    average = 1 - min(max((fit["pieces_left"] - 0.25) / 0.5, 0), 1)

    def combination(piece, weight):
        """The linear combination of coefficients that is the piece's value, half of the pair's bonus included."""
        row = np.zeros(len(coefficients))
        for name, share in ((piece, 1), (piece + " pair", 0.5)):
            if f"{name} (full board)" in columns:
                row[columns.index(f"{name} (full board)")] = share * (1 - weight)
                row[columns.index(f"{name} (few pieces)")] = share * weight
        return row

    def scale(coefficients):
        """Log-odds of what the players believe to be worth a pawn."""
        return sum(combination(piece, average) for piece in ARMY) @ coefficients / sum(own[piece] for piece in ARMY)

    def run(coefficients):
        return coefficients[columns.index("own values")] / scale(coefficients)

    def gradient(function, at):
        steps = STEP * np.eye(len(at))
        return np.array([(function(at + step) - function(at - step)) / (2 * STEP) for step in steps])

    # The share of what players believe that comes back: run and prior, weighted by their precision.
    of_run = 1 / (gradient(run, coefficients) @ covariance @ gradient(run, coefficients))
    of_run = of_run / (of_run + deviation**-2)

    def value(piece, weight, numbers):
        """The corrected value up to a factor that all pieces have; the last of the numbers is the prior's mean."""
        coefficients, share = numbers[:-1], of_run * run(numbers[:-1]) + (1 - of_run) * numbers[-1]
        believed = combination(piece, average) @ coefficients / (own[piece] * scale(coefficients))
        return combination(piece, weight) @ coefficients * believed ** (share / (1 - share))

    def ratio(piece, weight, numbers):
        minor = (value("knight", weight, numbers) + value("bishop", weight, numbers)) / 2
        return value(piece, weight, numbers) / minor

    numbers = np.append(coefficients, prior)
    errors = np.zeros((len(numbers), len(numbers)))
    errors[:-1, :-1], errors[-1, -1] = covariance, deviation**2
    titles = "".join(f"{'z: ' + reference['name']:>20}" for reference in references)
    print(f"   w  piece     minor pieces   {titles}")
    for weight in WEIGHTS:
        for piece in PIECES:
            slope = gradient(lambda numbers: ratio(piece, weight, numbers), numbers)
            measured, error = ratio(piece, weight, numbers), np.sqrt(slope @ errors @ slope)
            line = f"{weight:4.2f}  {piece:6}  {measured:7.4f} +/- {error:6.4f}"
            for reference in references:
                published = reference["values"]
                pair = reference.get("pairs", {}).get("bishop", 0.0)
                light = (published["knight"] + published["bishop"] + pair / 2) / 2
                line += f"{(measured - published[piece] / light) / error:20.1f}"
            print(line)


main()
