"""What merging costs as a run grows: batches of a run of `assay.cluster`, with rows of real games under other numbers.

A batch is what a run merges at a time, 256 files of 250 games. Their rows are those of the file GAMES, over and over. Some batches are
merged, with the clock running; the rows of those between them are copied without it, and without new digests, which a merge does not look
at. Needs `pip install blake3`. The folder needs 1.2 GB for each million games of Gamma2; nothing is left there.

    assay-tuner validate gamma2 --games 600 --playtest 0 --data gamma2.db
    python merge_cost.py gamma2.db --folder /tmp --games 10000000
"""

import argparse
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import assay.cluster
from blake3 import blake3

FILES = assay.cluster._BATCH_TASKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", metavar="GAMES", type=Path, help="a run file with an even number of games")
    parser.add_argument("--folder", type=Path, default=Path())
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--every", type=int, default=16, help="merge one of so many batches, and the last one")
    parser.add_argument("--games-per-file", type=int, default=250, help="an even number")
    options = parser.parse_args()
    size = FILES * options.games_per_file
    with closing(sqlite3.connect(options.source)) as database:
        rows = database.execute("SELECT * FROM games ORDER BY idx").fetchall()
    batches = -(-options.games // size)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        out, empty = folder / "merged.db", folder / "empty.db"
        shutil.copyfile(options.source, empty)
        with closing(sqlite3.connect(empty, isolation_level=None)) as database:
            database.execute("DELETE FROM games")
            database.execute("VACUUM")
        for batch in range(batches):
            games = range(batch * size, (batch + 1) * size)
            if batch % options.every and batch + 1 < batches:
                fill(out, options.source, len(rows), games)
                continue
            files = list(write_shards(empty, rows, games))
            began, worked = time.perf_counter(), time.process_time()
            assay.cluster._merge_batch(out, files)
            seconds, work = time.perf_counter() - began, time.process_time() - worked
            print(
                f"batch {batch + 1}: {games.stop:,} games, {out.stat().st_size / 1e9:.2f} GB; "
                f"{seconds:.2f} s, {work:.2f} s of the processor",
                flush=True,
            )
            for file in files:
                file.unlink()
        for what, sql in [("counting the games", "SELECT count(*) FROM games"), ("quick check", "PRAGMA quick_check(1)")]:
            began, worked = time.perf_counter(), time.process_time()
            with closing(sqlite3.connect(out)) as database:
                (result,) = database.execute(sql).fetchone()
            seconds, work = time.perf_counter() - began, time.process_time() - worked
            print(f"{what}: {result}; {seconds:.1f} s, {work:.1f} s of the processor", flush=True)


def fill(out: Path, source: Path, count: int, games: range) -> None:
    """Writes the rows of a batch into the merged file."""
    columns = "white, start, opening, material, result, end, fault, plies, moves, ended, digest"
    with closing(connect(out)) as database:
        database.execute("ATTACH ? AS source", [str(source)])
        with database:
            for first in games[::count]:
                copy = f"INSERT INTO games SELECT idx + ?1, (idx + ?1) / 2, {columns} FROM source.games WHERE idx < ?2"
                database.execute(copy, [first, games.stop - first])


def write_shards(empty: Path, rows: list[tuple], games: range) -> Iterator[Path]:
    """Writes the files of a batch."""
    for shard in range(FILES):
        file = empty.with_name(f"{shard + 1}.db")
        shutil.copyfile(empty, file)
        with closing(connect(file)) as database, database:
            settings = [("shard", f'"{shard + 1}/{FILES}"'), ("games", str(games.stop))]
            database.executemany("INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)", settings)
            own = (game for game in games if game // 2 % FILES == shard)
            database.executemany(f"INSERT INTO games VALUES ({', '.join('?' * 13)})", renumbered(rows, own))
        yield file


def connect(file: Path) -> sqlite3.Connection:
    """Opens a file that need not survive a power failure."""
    database = sqlite3.connect(file)
    database.execute("PRAGMA synchronous = OFF")
    return database


def renumbered(rows: list[tuple], games: Iterable[int]) -> Iterator[tuple]:
    """Rows of the table `games` with these numbers and new digests."""
    for game in games:
        row = (game, game // 2, *rows[game % len(rows)][2:-1])
        yield (*row, digest(row))


def digest(row: tuple) -> bytes:
    """The column `digest`, as `docs/data.md` describes it: numbers first."""
    parts = [column.to_bytes(8, "little", signed=True) for column in row if isinstance(column, int)]
    for column in row:
        if column is None:
            parts.append(b"\0")
        elif not isinstance(column, int):
            contents = column.encode() if isinstance(column, str) else column
            parts += [b"\1", len(contents).to_bytes(8, "little"), contents]
    return blake3(b"".join(parts)).digest(8)


if __name__ == "__main__":
    main()
