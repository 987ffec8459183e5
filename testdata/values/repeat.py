"""Repeats a measurement with other seeds, and counts how often two runs agree within their errors.

    python3 repeat.py 200 repeats assay-tuner weigh --piece QN --piece WD --games 200 --nodes 50 --playtest 0 \
        --phase-model constant --resamples 0

Two runs agree on a piece if their values differ by no more than the root of the sum of their squared half-widths.
"""

import json
import math
import statistics
import subprocess
import sys
from pathlib import Path


def measure(seed: int, folder: Path, command: list[str]) -> dict[str, tuple[float, float]]:
    """Value and half-width of each piece, from a stored result or from games."""
    result = folder / f"{seed}.json"
    if not result.exists():
        data = folder / f"{seed}.db"
        seeded = [*command, "--seed", str(seed), "--data", str(data), "--json"]
        output = subprocess.run(seeded, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        result.write_bytes(output)
        data.unlink()
    found = {}
    tables = json.loads(result.read_bytes())["tables"]
    for value in next(table for table in tables if table["unit"] is None)["values"]:
        measured = value["measured"]
        interval = measured["interval"]
        found[value["piece"]] = (measured["value"], (interval[1] - interval[0]) / 2 if interval else math.inf)
    return found


def main() -> None:
    runs, folder, command = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(exist_ok=True)
    results = [measure(seed, folder, command) for seed in range(1, runs + 1)]
    print("| piece | median value | standard deviation over runs | median half-width | pairs of runs that agree |\n|---|--:|--:|--:|--:|")
    for piece in results[0]:
        values = [result[piece] for result in results]
        pairs = list(zip(values[::2], values[1::2]))
        agreeing = sum(abs(one - other) <= math.hypot(width, breadth) for (one, width), (other, breadth) in pairs)
        spread = statistics.stdev(value for value, _ in values)
        numbers = [statistics.median(value for value, _ in values), spread, statistics.median(width for _, width in values)]
        print(f"| {piece} | " + " | ".join(f"{number:.2f}" for number in numbers) + f" | {agreeing} of {len(pairs)} |")
    pairs = list(zip(results[::2], results[1::2]))
    every = sum(all(abs(one[p][0] - other[p][0]) <= math.hypot(one[p][1], other[p][1]) for p in one) for one, other in pairs)
    print(f"all pieces: {every} of {len(pairs)}")


if __name__ == "__main__":
    main()
