"""How much work many workers make for the scheduler and the caller of `assay.cluster`: a run in which no games are played.

Everything else is real: a scheduler in a process of its own, a connection for each worker, tasks with their arguments, results of
their size, and the caller's durable files. A task sleeps as long as it would play. Many workers share a process here, so
they compete for its interpreter; those of a cluster have one each. The merge is left out: `merge_cost.py` measures it.

    python scheduler_load.py --workers 1000 --tasks 10000 --seconds 30
    python scheduler_load.py --workers 20 --tasks 400 --seconds 0       # as fast as possible
"""

import argparse
import asyncio
import os
import pickle
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from pathlib import Path
from types import SimpleNamespace

import assay.cluster
import psutil
from distributed import Client, Worker

# Seconds that a worker waited for the task, and when the task ended. The beginning of each result.
TIMES = struct.Struct("2d")

# What else a task returns: as large as its games compressed, and as incompressible.
BYTES_PER_GAME = 600

# The share of the tasks during which the cluster is fully occupied: neither at the beginning nor at the end.
STEADY = (0.2, 0.8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=1_000)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=30.0, help="mean duration of a task; half to three halves of it")
    parser.add_argument("--processes", type=int, default=4, help="processes that the workers share")
    parser.add_argument("--games-per-task", type=int, default=250)
    parser.add_argument("--serve", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve(options))
    else:
        measure(options)


async def serve(options: argparse.Namespace) -> None:
    """A process of workers."""
    last = threading.local()

    def play_nothing(version, game, arguments):
        now = time.time()
        waited = now - getattr(last, "ended", now)
        time.sleep(random.uniform(0.5, 1.5) * options.seconds)
        last.ended = time.time()
        return zlib.compress(TIMES.pack(waited, last.ended) + os.urandom(BYTES_PER_GAME * options.games_per_task), 0)

    # Tasks name the function, so each process calls its own.
    assay.cluster._play = play_nothing
    workers = [Worker(options.serve, nthreads=1, memory_limit=0, dashboard=False) for _ in range(options.workers)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))


def measure(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        processes: list[subprocess.Popen] = []
        try:
            run(options, Path(folder), processes)
        finally:
            for process in processes:
                process.kill()
            for process in processes:
                process.wait()


def run(options: argparse.Namespace, folder: Path, processes: list[subprocess.Popen]) -> None:
    # What each worker does for its own process, up to 100 times a second: too much where hundreds share one.
    shared = {
        "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
        "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "1 minute",
        "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "10 s",
        "DASK_DISTRIBUTED__ADMIN__TICK__CYCLE": "1 minute",
        "DASK_TEMPORARY_DIRECTORY": str(folder),
    }

    def spawn(*command: object, environment: dict[str, str] | None = None) -> subprocess.Popen:
        process = subprocess.Popen(
            [sys.executable, *map(str, command)],
            env={**os.environ, **(environment or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        processes.append(process)
        return process

    began = time.perf_counter()
    address = folder / "scheduler.json"
    command = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", 0, "--no-dashboard"]
    scheduler = spawn(*command, "--scheduler-file", address)
    with Client(scheduler_file=str(address), timeout=120) as client:
        for number in range(options.processes):
            share = (options.workers + number) // options.processes
            shape = ["--workers", share, "--seconds", options.seconds, "--games-per-task", options.games_per_task]
            spawn(Path(__file__).resolve(), "--serve", client.scheduler.address, *shape, environment=shared)
        client.wait_for_workers(options.workers, timeout=600)
        print(f"{options.workers} workers in {options.processes} processes, started in {time.perf_counter() - began:.0f} s")
        load = LoadRun(client, options, folder)
        load.play(scheduler.pid, [process.pid for process in processes[1:]])


class LoadRun:
    """A run, and what is seen of it when a result arrives."""

    def __init__(self, client: Client, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        games = options.tasks * options.games_per_task
        path = folder / "nothing.db"
        path.with_name(f"{path.name}.shards").mkdir()
        self.distributed = assay.cluster._DistributedRun(client, "gamma2", options.games_per_task, 0, None)
        self.run = assay.cluster._Run(path, {"nodes": 1_000}, games, [(0, games)], "")
        assay.cluster._Batch.merge = lambda batch, shards: [batch.file(shard).unlink() for shard in shards]
        assay.cluster.open_run = lambda path: SimpleNamespace(missing=lambda games: [])
        write = assay.cluster._write_durably

        def write_and_note(path: Path, contents: bytes) -> None:
            waited, ended = TIMES.unpack_from(contents)
            self.arrivals.append((time.time(), waited, time.time() - ended, self.processor()))
            write(path, contents)

        assay.cluster._write_durably = write_and_note

    def play(self, scheduler: int, workers: list[int]) -> None:
        watched = [psutil.Process(scheduler), psutil.Process(), *map(psutil.Process, workers)]

        def processor() -> list[float]:
            times = [process.cpu_times() for process in watched]
            return [time.user + time.system for time in times]

        self.processor, self.arrivals = processor, []
        load, began = os.getloadavg()[0], time.perf_counter()
        self.distributed.play([self.run])
        seconds = time.perf_counter() - began
        batch = next(assay.cluster._batches(self.run, self.options.games_per_task))
        argument = len(pickle.dumps((assay.Game("gamma2"), assay.cluster._Task(batch, 1, 0).arguments())))
        result = BYTES_PER_GAME * self.options.games_per_task
        print(f"{self.options.tasks} tasks in {seconds:.1f} s; arguments {argument} bytes, results {result / 1e3:.0f} kB")
        steady = self.arrivals[int(STEADY[0] * len(self.arrivals)) : int(STEADY[1] * len(self.arrivals))]
        duration = steady[-1][0] - steady[0][0]
        print(f"between {STEADY[0]:.0%} and {STEADY[1]:.0%} of the tasks: {len(steady) / duration:.1f} tasks/s")
        used = [(after - before) for before, after in zip(steady[0][3], steady[-1][3], strict=True)]
        for name, seconds in [("scheduler", used[0]), ("caller", used[1]), ("workers", sum(used[2:]))]:
            print(f"  {name}: {seconds / duration:.0%} of a processor, {seconds / len(steady) * 1e3:.1f} ms per task")
        for name, column in [("a worker without a task", 1), ("from the end of a task to the caller", 2)]:
            times = sorted(arrival[column] for arrival in steady)
            middle, most = times[len(times) // 2], times[int(0.95 * len(times))]
            print(f"  {name}: median {middle * 1e3:.0f} ms, 95% below {most * 1e3:.0f} ms, at most {times[-1] * 1e3:.0f} ms")
        print(f"load average {load:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
