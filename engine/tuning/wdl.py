#!/usr/bin/env python3
"""Fits the model of win, draw and loss probabilities (engine/src/eval/wdl.rs), and plots predicted and actual frequencies.

The positions are those of `assay-selfplay export --epd`, one of each game, so that they are nearly independent. The engine searches
each of them, and its score is compared with the result of the game. Half of the opening pairs fit the model; the other half test it.

    assay-selfplay generate chess --material values --games 4000 --data chess.db
    assay-selfplay export chess.db --epd chess.epd
    engine/tuning/wdl.py chess.epd --plot docs/wdl

The model has proportional odds: P(at least a result) = logistic((score - threshold) / scale), with thresholds win, advantage,
-advantage and -win. Games without results worth 0.75 points have advantage = win. Needs Python 3.11 and no packages.
"""

import argparse
import math
import pathlib
import random
import re
import subprocess

BINS = 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="EPD files, one per variant")
    parser.add_argument("--plot", type=pathlib.Path, required=True, help="folder of the plots, one SVG per game")
    parser.add_argument("--nodes", type=int, default=2000, help="nodes per search")
    parser.add_argument("--engine", default="target/release/assay")
    parser.add_argument("--seed", type=int, default=1, help="chooses the position of each game")
    return parser.parse_args()


# FEN without its counters, plies of the move rule, number of the move, variant, White's points, game.
LINE = re.compile(r'(.*) hmvc (\d+); fmvn (\d+); .*c0 "variant (.*?)"; .*c2 "score (.*?)"; c3 "game (.*?)";')


def positions(path, seed):
    """The variant, and one random position of each game: FEN, points of the side to move, number of the opening pair."""
    games = {}
    with path.open() as file:
        for line in file:
            *fen, variant, score, game = LINE.match(line).groups()
            games.setdefault(game, []).append((" ".join(fen), score))
    stream = random.Random(seed)
    chosen = []
    for game, choices in games.items():
        fen, score = stream.choice(choices)
        points = float(score) if fen.split()[1] == "w" else 1 - float(score)
        # Both games of a pair have the same opening.
        chosen.append((fen, points, int(game.rpartition("-")[2]) // 2))
    return variant, chosen


def scores(engine, variant, fens, nodes):
    """The engine's score of each position in centipawns; None for a mate."""
    process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    process.stdin.write(f"setoption name UCI_Variant value {variant}\n")
    for fen in fens:
        process.stdin.write(f"ucinewgame\nposition fen {fen}\ngo nodes {nodes}\n")
        score = None
        for line in process.stdout:
            words = line.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                score = int(number) if kind == "cp" else None
            if line.startswith("bestmove"):
                break
        else:
            raise SystemExit(f"{engine}: ended in the position {fen}")
        yield score
    process.stdin.write("quit\n")
    process.wait()


def logistic(x):
    return 1 / (1 + math.exp(-max(-500, min(500, x))))


def shares(model, score):
    """Probabilities of 1, 0.75, 0.5, 0.25 and 0 points."""
    scale, win, advantage = model
    above = [logistic((score - threshold) / scale) for threshold in (win, advantage, -advantage, -win)]
    return [upper - lower for upper, lower in zip([*above, 1], [0, *above], strict=True)]


def log_likelihood(model, data):
    index = {1.0: 0, 0.75: 1, 0.5: 2, 0.25: 3, 0.0: 4}
    return sum(math.log(max(shares(model, score)[index[points]], 1e-12)) for score, points in data)


def fit(data):
    """Maximum likelihood by coordinate search, whole centipawns."""
    has_advantage = any(points in (0.25, 0.75) for _, points in data)
    model, step = [150.0, 100.0, 50.0 if has_advantage else 100.0], 64.0

    def moved(index, by):
        new = list(model)
        new[index] += by
        if not has_advantage:
            new[2] = new[1]
        return new

    best = log_likelihood(model, data)
    while step >= 1:
        improved = False
        for index in range(3 if has_advantage else 2):
            for by in (step, -step):
                new = moved(index, by)
                if new[0] > 0 and new[1] >= new[2] >= 0 and (value := log_likelihood(new, data)) > best:
                    model, best, improved = new, value, True
        if not improved:
            step /= 2
    return model


def wdl(model, score):
    win, advantage, draw, disadvantage, loss = shares(model, score)
    return win + advantage / 2, draw + (advantage + disadvantage) / 2, loss + disadvantage / 2


def calibration(model, data):
    """Rows of equally many positions, by predicted points: mean score, then predicted, actual and its standard error for the
    win, the draw and the loss."""
    data = sorted(data)
    rows = []
    for number in range(BINS):
        part = data[len(data) * number // BINS : len(data) * (number + 1) // BINS]
        predicted = [sum(column) / len(part) for column in zip(*(wdl(model, score) for score, _ in part), strict=True)]
        # 0.75 points are half a win and half a draw.
        actual = [(max(2 * points - 1, 0), 1 - abs(2 * points - 1), max(1 - 2 * points, 0)) for _, points in part]
        means = [sum(column) / len(part) for column in zip(*actual, strict=True)]
        variances = [sum((x - mean) ** 2 for x in column) for column, mean in zip(zip(*actual, strict=True), means, strict=True)]
        errors = [math.sqrt(variance) / len(part) for variance in variances]
        rows.append((sum(score for score, _ in part) / len(part), list(zip(predicted, means, errors, strict=True))))
    return rows


def plot(path, variant, rows, count):
    """Predicted and actual shares with 95% intervals."""
    left, top, size = 60, 40, 400
    x, y = (lambda share: left + size * share), (lambda share: top + size * (1 - share))
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + size + 120} {top + size + 60}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="22" font-size="15">{variant}: {count} positions that were not used for the fit</text>',
        f'<path d="M{x(0)} {y(1)}V{y(0)}H{x(1)}" fill="none" stroke="black"/>',
        f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="gray" stroke-dasharray="4 4"/>',
        f'<text x="{x(0.5)}" y="{y(0) + 42}" text-anchor="middle">predicted</text>',
        f'<text x="18" y="{y(0.5)}" text-anchor="middle" transform="rotate(-90 18 {y(0.5)})">actual</text>',
    ]
    for percent in range(0, 101, 20):
        share = percent / 100
        text.append(f'<text x="{x(share)}" y="{y(0) + 20}" text-anchor="middle">{percent}%</text>')
        text.append(f'<text x="{left - 8}" y="{y(share) + 4}" text-anchor="end">{percent}%</text>')
    for index, (name, color) in enumerate((("win", "#0072b2"), ("draw", "#767676"), ("loss", "#d55e00"))):
        text.append(f'<circle cx="{left + size + 20}" cy="{top + 20 * index}" r="4" fill="{color}"/>')
        text.append(f'<text x="{left + size + 32}" y="{top + 20 * index + 4}">{name}</text>')
        for _, columns in rows:
            predicted, actual, error = columns[index]
            low, high = max(actual - 1.96 * error, 0), min(actual + 1.96 * error, 1)
            text.append(f'<path d="M{x(predicted):.1f} {y(low):.1f}V{y(high):.1f}" stroke="{color}"/>')
            text.append(f'<circle cx="{x(predicted):.1f}" cy="{y(actual):.1f}" r="4" fill="{color}"/>')
    path.write_text("\n".join([*text, "</svg>", ""]))


def main():
    args = arguments()
    args.plot.mkdir(parents=True, exist_ok=True)
    for path in args.files:
        variant, chosen = positions(path, args.seed)
        found = scores(args.engine, variant, [fen for fen, _, _ in chosen], args.nodes)
        halves = [], []
        for score, (_, points, pair) in zip(found, chosen, strict=True):
            if score is not None:
                halves[pair % 2].append((score, points))
        train, test = halves
        model = fit(train)
        rows = calibration(model, test)
        plot(args.plot / f"{variant}.svg", variant, rows, len(test))
        print(f"{variant}: scale {model[0]:.0f}, win {model[1]:.0f}, advantage {model[2]:.0f}; {len(test)} positions test it")
        print("   score    win: predicted, actual ± 95%    draw                   loss")
        for score, columns in rows:
            # Clopper and Pearson's bound where none of the positions has the result.
            bound = 100 * (1 - 0.025 ** (len(rows) / len(test)))
            actual = [f"{100 * a:5.1f} ± {196 * e:4.1f}" if a > 0 else f"0.0 (below {bound:.1f})" for _, a, e in columns]
            cells = [f"{100 * p:5.1f} {shown}" for (p, *_), shown in zip(columns, actual, strict=True)]
            print(f"  {score:+6.0f}              " + "       ".join(cells), flush=True)


main()
