#!/usr/bin/env python3
"""Measures many search parameters at once by a random factorial experiment.

Each match draws low or high for every parameter at random; the first engine plays with these values, the second with the opposite
ones. So every game says something about every parameter: the effect of a parameter is the mean score of the side that has its high
value, and the other parameters only add noise. The result is in Elo, high against low, with the half-width of a 95% interval.

    cargo build --release --features tune
    engine/tuning/factorial.py --parameters engine/tuning/parameters.toml --out factorial.jsonl --matches 400
    engine/tuning/factorial.py --parameters engine/tuning/parameters.toml --out factorial.jsonl --matches 0    # only the table

A match is one line of the output file, written when it is finished. The same command continues a file; a higher --matches extends it.
Needs Python 3.11 and no packages.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tomllib


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parameters", type=pathlib.Path, required=True, help="TOML file: NAME = [LOW, HIGH]")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="results, a JSON object per match")
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=8, help="opening pairs of a match")
    parser.add_argument("--nodes", type=int, default=8000, help="nodes per move")
    parser.add_argument("--games", default="chess,chess,berolina,gamma2", help="games of successive matches, in turn")
    parser.add_argument("--engine", default="target/release/assay", help="built with --features tune")
    parser.add_argument("--selfplay", default="target/release/assay-selfplay")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def play(args, parameters, index):
    """Plays one match; its settings depend only on the seed and its index."""
    seed = args.seed * 1_000_000 + index
    stream = random.Random(seed)
    high = [stream.random() < 0.5 for _ in parameters]
    games = args.games.split(",")
    game = games[index % len(games)]

    def engine(name, high):
        values = zip(parameters.items(), high, strict=True)
        options = [f"option.{option}={bounds[is_high]}" for (option, bounds), is_high in values]
        return ["-engine", f"cmd={args.engine}", f"name={name}", *options]

    command = [args.selfplay, "match", game, *engine("first", high), *engine("second", [not value for value in high])]
    command += ["-each", f"nodes={args.nodes}", "option.Hash=8", "-rounds", str(args.rounds), "-repeat", "-json"]
    command += ["-concurrency", str(args.concurrency), "-seed", str(seed)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"match {index}: exit status {result.returncode}")
    found = json.loads(result.stdout)
    return {"index": index, "game": game, "high": high, "games": found["games"], "points": found["points"]}


def print_table(parameters, matches):
    count = len(matches)
    print(f"{sum(match['games'] for match in matches):,} games in {count:,} matches")
    if count < 2:
        return
    elo = 4 * 400 / math.log(10)
    rows = []
    for column, (name, (low, high)) in enumerate(parameters.items()):
        scores = [(match["points"] / match["games"] - 0.5) * (1 if match["high"][column] else -1) for match in matches]
        mean = sum(scores) / count
        variance = sum((score - mean) ** 2 for score in scores) / (count - 1)
        rows.append((mean * elo, 1.96 * math.sqrt(variance / count) * elo, name, low, high))
    for effect, half_width, name, low, high in sorted(rows, reverse=True):
        print(f"{name:32} {low:6} -> {high:6}  {effect:+6.1f} ± {half_width:4.1f} Elo")


def main():
    args = arguments()
    parameters = tomllib.loads(args.parameters.read_text())
    done = {match["index"] for match in read(args.out)}
    for index in range(args.matches):
        if index not in done:
            match = play(args, parameters, index)
            with args.out.open("a") as out:
                out.write(json.dumps(match) + "\n")
    matches = read(args.out)
    if any(len(match["high"]) != len(parameters) for match in matches):
        sys.exit(f"{args.out}: found matches with another number of parameters, expected {len(parameters)}")
    print_table(parameters, matches)


if __name__ == "__main__":
    main()
