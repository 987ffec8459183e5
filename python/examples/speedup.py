"""How much faster two workers of one thread are than one, side by side: the same run with one and with two worker processes in turn.

A third run in each turn plays the same tasks in two processes without Dask: no cluster can be faster than that on this machine.
All runs must play the same games. The times are those of the call; clusters are started before.

    python speedup.py --games 2000 --nodes 1000 --games-per-task 50 --repetitions 5
"""

import argparse
import hashlib
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import assay.cluster
import dask
from distributed import Client, LocalCluster

# Dask's sampling profiler, ticks and system monitor cost a tenth of the speed where all processors play.
dask.config.set(
    {
        "distributed.worker.profile.enabled": False,
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.system-monitor.interval": "10s",
    }
)

GAME = "gamma2"
SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--games-per-task", type=int, default=50)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    settings = {"games": options.games, "nodes": options.nodes, "seed": SEED, "material": "values"}
    tasks = -(-options.games // options.games_per_task)
    print(f"{GAME}: {settings}, {tasks} tasks; {os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    print("     one worker  two workers  two processes   speed-up  without Dask")
    ratios, limits, hashes = [], [], set()
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(options.repetitions):
            out = Path(folder) / f"{turn}"
            out.mkdir()
            one = cluster(1, out / "one.db", settings, options.games_per_task)
            two = cluster(2, out / "two.db", settings, options.games_per_task)
            bare = processes(2, out / "bare.db", settings, tasks)
            hashes |= {games_hash(out / f"{name}.db") for name in ["one", "two", "bare"]}
            ratios.append(one / two)
            limits.append(one / bare)
            print(f"{turn + 1:3} {one:9.1f} s {two:10.1f} s {bare:12.1f} s {ratios[-1]:10.3f} {limits[-1]:13.3f}", flush=True)
            if len(hashes) > 1:
                sys.exit(f"found {len(hashes)} different sets of games, expected one")
    print(f"median speed-up {statistics.median(ratios):.3f}, without Dask {statistics.median(limits):.3f}")
    print(f"games of all runs: {hashes.pop()}; load average {os.getloadavg()[0]:.1f}")


def cluster(workers: int, out: Path, settings: dict, games_per_task: int) -> float:
    """Seconds of a run with workers of one thread."""
    shape = {"n_workers": workers, "threads_per_worker": 1, "processes": True}
    with LocalCluster(**shape, dashboard_address=None, memory_limit=0) as local, Client(local) as client:
        client.wait_for_workers(workers)
        client.run(load)
        began = time.perf_counter()
        assay.cluster.selfplay(client, GAME, data=out, games_per_task=games_per_task, **settings)
        return time.perf_counter() - began


def processes(workers: int, out: Path, settings: dict, tasks: int) -> float:
    """Seconds of the same shards in processes of one thread."""
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for started in [pool.submit(load) for _ in range(workers)]:
            started.result()
        began = time.perf_counter()
        shards = [out.with_name(f"bare-{shard}.db") for shard in range(1, tasks + 1)]
        done = [pool.submit(play, shard, f"{number}/{tasks}", settings) for number, shard in enumerate(shards, 1)]
        for future in done:
            future.result()
        assay.merge(out, shards)
        return time.perf_counter() - began


def load() -> None:
    """Imports the package, which is not part of what is measured."""
    import assay.cluster  # noqa: F401


def play(out: Path, shard: str, settings: dict) -> None:
    assay.selfplay(GAME, data=out, shard=shard, threads=1, **settings)


def games_hash(path: Path) -> str:
    """A hash of all that is stored about the games."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(path)) as database:
        rows = 0
        for row in database.execute("SELECT * FROM games ORDER BY idx"):
            digest.update(repr(row).encode())
            rows += 1
    return f"{rows} with hash {digest.hexdigest()[:16]}"


if __name__ == "__main__":
    main()
