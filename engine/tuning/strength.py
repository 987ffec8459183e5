#!/usr/bin/env python3
"""Measures the scale of UCI_Elo: a match between each two neighbouring ratings, and matches with another engine whose UCI_Elo
anchors the scale.

    engine/tuning/strength.py 1000 1200 1400
    engine/tuning/strength.py --peer fairy-stockfish --peer-ratings 1350:1 1500:3 1800:6 -- 1400 1600

A peer's rating is RATING:DEPTH, where DEPTH is the depth in plies at which it chooses its move. Prints a row for each match: the two
players, games, points of the first, and its Elo difference with a 95% interval. Needs Python 3.11 and no packages.
"""

import argparse
import itertools
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ratings", nargs="+", type=int, help="values of UCI_Elo")
    parser.add_argument("--peer", help="the other engine; each rating plays each of its ratings")
    parser.add_argument("--peer-ratings", nargs="+", default=[], metavar="RATING:DEPTH")
    parser.add_argument("--game", default="chess")
    parser.add_argument("--rounds", type=int, default=100, help="opening pairs of a match")
    parser.add_argument("--engine", default="target/release/assay")
    parser.add_argument("--selfplay", default="target/release/assay-selfplay")
    parser.add_argument("--concurrency", type=int, default=2, help="matches at the same time")
    return parser.parse_args()


def player(command, rating, limit, *options):
    options = "UCI_LimitStrength=true", f"UCI_Elo={rating}", *options
    return rating, [f"cmd={command}", f"name={rating}", limit, *(f"option.{option}" for option in options)]


def play(args, pair):
    (first, first_engine), (second, second_engine) = pair
    command = [args.selfplay, "match", args.game, "-engine", *first_engine, "-engine", *second_engine]
    command += ["-rounds", str(args.rounds), "-maxmoves", "200", "-json", "--progress", "none"]
    result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    elo = result["elo"]
    low, high = (f"{bound:+.0f}" if bound is not None else "?" for bound in elo["interval"])
    value = f"{elo['value']:+.0f}" if elo["value"] is not None else "?"
    return f"| {first} | {second} | {result['games']} | {result['points']} | {value} ({low} to {high}) |"


def main():
    args = arguments()
    # The limit of strength is lower than this one, which the match needs.
    assay = [player(args.engine, rating, "nodes=1000000", "Hash=4") for rating in args.ratings]
    if args.peer:
        peers = [player(args.peer, rating, f"depth={depth}") for rating, depth in (text.split(":") for text in args.peer_ratings)]
        pairs = itertools.product(assay, peers)
    else:
        pairs = zip(assay[1:], assay, strict=False)
    print("| first | second | games | points of the first | difference |\n|---|---|---|---|---|", flush=True)
    with ThreadPoolExecutor(args.concurrency) as pool:
        for row in pool.map(lambda pair: play(args, pair), pairs):
            print(row, flush=True)


main()
