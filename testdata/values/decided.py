#!/usr/bin/env python3
"""How many plies games would be shorter if they ended when both sides see them decided, and how many end otherwise.

    assay-selfplay generate gamma2 --games 2000 --nodes 400 --seed 7 --material values --decided off --data games.db
    assay-selfplay export games.db --pgn games.pgn
    python3 decided.py games.pgn [SCORE [PLIES]]

SCORE is in centipawns (1000), PLIES the number of consecutive plies whose scores are at least as far from 0 (4); the last of them must be a
lost one.
"""

import re
import sys


def games(text):
    """White's points, whether Black moves first, and the scores of the side to move in centipawns, of each game."""
    for game in re.split(r"\n\n(?=\[Event )", text):
        head, _, moves = game.partition("\n\n")
        tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', head))
        points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(tags.get("Result"))
        if points is not None:
            scores = [score(comment) for comment in re.findall(r"\{([^}]*)\}", moves)]
            yield points, tags.get("FEN", "- w").split()[1].startswith("b"), scores


def score(comment):
    first = comment.split()[0].split("/")[0] if comment.split() else ""
    if re.match(r"[+-]M\d", first):
        return float(f"{first[0]}10000")
    return 100.0 * float(first) if re.match(r"[+-]?\d", first) else None


def decided(scores, black_first, least, plies):
    """The length, and White's points, of a game that ends as decided."""
    count = 0
    for ply, found in enumerate(scores):
        count = count + 1 if found is not None and abs(found) >= least else 0
        if count >= plies and found <= -least:
            return ply + 1, float((ply % 2 == 0) == black_first)
    return None


def main(path, least=1000, plies=4):
    with open(path) as file:
        played = list(games(file.read()))
    total, saved, ended, otherwise = 0, 0, 0, 0
    for points, black_first, scores in played:
        total += len(scores)
        end = decided(scores, black_first, float(least), int(plies))
        if end is not None:
            ended += 1
            saved += len(scores) - end[0]
            otherwise += end[1] != points
    print(
        f"{len(played)} games: {ended / len(played):.1%} decided, {total / (total - saved):.2f} times as many plies without, "
        f"{otherwise / max(ended, 1):.2%} of the decided ones end otherwise"
    )


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
