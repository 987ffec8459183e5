#!/usr/bin/env python3
"""A move generator of breakthrough that speaks as much UCI as `assay-perft compare` needs. Put your engine in its place.

With --bug, men also capture straight ahead, which they must not.
"""

import sys

FILES = "abcdefgh"
BUG = "--bug" in sys.argv


def parse(fen):
    rows, side = fen.split()[:2]
    board = {}
    for rank, row in zip(range(8, 0, -1), rows.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, rank] = letter
                file += 1
    return board, "P" if side == "w" else "p"


def moves(board, man):
    step, goal = (1, 8) if man == "P" else (-1, 1)
    other = man.swapcase()
    # The opponent has reached the last rank: the game is over.
    if any(board.get((file, 9 - goal)) == other for file in range(8)):
        return
    for (file, rank), found in board.items():
        for side in (-1, 0, 1) if found == man else ():
            to = file + side, rank + step
            blocked = (man,) if side or BUG else (man, other)
            if 0 <= to[0] < 8 and board.get(to) not in blocked:
                yield (file, rank), to


def after(board, move):
    origin, to = move
    board = {**board, to: board[origin]}
    del board[origin]
    return board


def perft(board, man, depth):
    if depth == 0:
        return 1
    return sum(perft(after(board, move), man.swapcase(), depth - 1) for move in moves(board, man))


def name(move):
    return "".join(FILES[file] + str(rank) for file, rank in move)


START = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w"
board, man = parse(START)
for line in sys.stdin:
    match line.split():
        case ["uci"]:
            print("id name example\noption name UCI_Variant type combo default breakthrough var breakthrough\nuciok")
        case ["isready"]:
            print("readyok")
        case ["position", *words]:
            fen, _, played = " ".join(words).partition(" moves ")
            board, man = parse(START if fen == "startpos" else fen.removeprefix("fen "))
            for text in played.split():
                board = after(board, next(move for move in moves(board, man) if name(move) == text))
                man = man.swapcase()
        case ["go", "perft", depth]:
            counts = {name(move): perft(after(board, move), man.swapcase(), int(depth) - 1) for move in moves(board, man)}
            print("".join(f"{text}: {count}\n" for text, count in counts.items()) + f"\nNodes searched: {sum(counts.values())}")
        case ["quit"]:
            break
    sys.stdout.flush()
