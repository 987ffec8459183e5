#!/usr/bin/env python3
"""Makes suites of tactical positions with two UCI engines, and counts what engines solve of them at equal nodes.

suite.py pick PGN EPD > POSITIONS
suite.py make GAME POSITIONS ENGINE PEER > engine/tuning/suites/GAME.txt
suite.py count GAME SUITE NODES[,NODES...] ENGINE...

`pick` reads the files of `assay-selfplay export RUN.db --pgn PGN --epd EPD` and prints, of each game, the first position in which a search
saw less than a pawn and its move won more than two and a half in the next three searches.

`make` takes a position if one move wins and no other does: each engine, searching 500,000 nodes with two lines, scores the best move at
least 250 centipawns and the second at most 80, and both choose the same move. The suite has the format FEN;move;name.

ENGINE is a command, with UCI options behind it: "stockfish VariantPath=gamma2.ini". Every position is a new game with a hash of 64 MiB.
"""

import itertools
import re
import subprocess
import sys
from collections.abc import Iterator

# Nodes of the searches that decide, and of those that choose candidates.
LONG, MIDDLE = 500_000, 20_000
# Centipawns: the best move has at least WIN, the second at most REST.
WIN, REST = 250, 80


class Engine:
    def __init__(self, command: str, game: str):
        words = command.split()
        program = [word for word in words if "=" not in word]
        self.name = command
        self.process = subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self.send("uci")
        self.answer("uciok")
        options = [word.split("=", 1) for word in words if "=" in word]
        for name, value in [*options, ("UCI_Variant", game), ("Hash", "64")]:
            self.send(f"setoption name {name} value {value}")

    def send(self, line: str) -> None:
        self.process.stdin.write(line + "\n")

    def answer(self, word: str) -> list[str]:
        """Reads until a line starts with this word."""
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        sys.exit(f"{self.name}: ended")

    def search(self, fen: str, nodes: int, lines: int = 1) -> tuple[str, list[int]]:
        """Returns the best move and the scores of the lines in centipawns; a mate counts 100 pawns."""
        self.send(f"setoption name MultiPV value {lines}")
        self.send("ucinewgame")
        self.send("isready")
        self.answer("readyok")
        self.send(f"position fen {fen}")
        self.send(f"go nodes {nodes}")
        scores = {}
        output = self.answer("bestmove")
        for words in (line.split() for line in output if " multipv " in line or " score " in line):
            if "score" in words and "upperbound" not in words and "lowerbound" not in words:
                line = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
                unit, value = words[words.index("score") + 1 :][:2]
                scores[line] = int(value) if unit == "cp" else 10_000 if int(value) > 0 else -10_000
        return output[-1].split()[1], [scores[line] for line in sorted(scores)]


def evaluations(path: str) -> Iterator[list[float]]:
    """Yields the scores of a PGN's games in pawns, each from the mover's point of view."""
    with open(path) as pgn:
        for game in re.split(r"^\[Event ", pgn.read(), flags=re.M)[1:]:
            found = re.findall(r"{([+-]?)(M?)([0-9.]*)/", game)
            yield [(-1 if sign == "-" else 1) * (100 if mate else float(pawns or 0)) for sign, mate, pawns in found]


def pick(pgn: str, epd: str) -> None:
    with open(epd) as lines:
        games = itertools.groupby(lines, key=lambda line: line.rsplit('c3 "', 1)[1])
        for scores, (_, positions) in zip(evaluations(pgn), games, strict=True):
            for at, position in enumerate(positions):
                if at == 0 or at + 3 >= len(scores):
                    continue
                before, now, first, second, third = scores[at - 1 : at + 4]
                if before >= -0.8 and now <= 1.0 and min(-first, second, -third) >= 2.5:
                    print(position, end="")
                    break


def single_win(engine: Engine, fen: str, nodes: int, win: int) -> str | None:
    """Returns the only winning move, if there is one."""
    move, scores = engine.search(fen, nodes, 2)
    return move if len(scores) == 2 and scores[0] >= win and scores[1] <= REST else None


def agreed_win(engines: list[Engine], fen: str) -> str | None:
    # Shorter searches leave out most positions. One engine is enough here, so that the suite favours neither.
    candidates = {single_win(engine, fen, MIDDLE, WIN // 2) for engine in engines} - {None}
    if len(candidates) != 1:
        return None
    moves = {single_win(engine, fen, LONG, WIN) for engine in engines}
    return moves.pop() if moves == candidates else None


def make(game: str, path: str, commands: list[str]) -> None:
    engines = [Engine(command, game) for command in commands]
    found = 0
    for line in open(path):
        fen = " ".join(line.split()[:4]) + " 0 1"
        if move := agreed_win(engines, fen):
            found += 1
            print(f"{fen};{move};{game}.{found:03}", flush=True)


def count(game: str, path: str, lengths: str, commands: list[str]) -> None:
    positions = [line.strip().split(";")[:2] for line in open(path) if line.strip()]
    for command in commands:
        engine = Engine(command, game)
        solved = [
            sum(engine.search(fen, int(nodes))[0] == best for fen, best in positions) for nodes in lengths.split(",")
        ]
        print(f"{command}: {solved} of {len(positions)} at {lengths} nodes", flush=True)


match sys.argv[1:]:
    case ["pick", pgn, epd]:
        pick(pgn, epd)
    case ["make", game, positions, *engines] if len(engines) == 2:
        make(game, positions, engines)
    case ["count", game, suite, lengths, *engines]:
        count(game, suite, lengths, engines)
    case _:
        sys.exit(__doc__)
