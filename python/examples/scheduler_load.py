"""How many tasks a second the scheduler and the client of `assay.cluster` handle: a campaign in which no games are played.

Everything else is real: tasks of the same arguments and results of the same size, their submission a few at a time, their durable
files. The workers are threads of this process, so they compete with the scheduler for its interpreter; a real cluster's do not.

    python scheduler_load.py --workers 200 --tasks 5000
"""

import argparse
import os
import tempfile
import time
import zlib
from pathlib import Path
from types import SimpleNamespace

import assay.cluster
from distributed import Client, LocalCluster


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--tasks", type=int, default=5_000)
    parser.add_argument("--games-per-task", type=int, default=250)
    options = parser.parse_args()

    # As large as the compressed games of a task, and as incompressible.
    result = zlib.compress(os.urandom(600 * options.games_per_task), 0)
    moved = len(result)

    def play_nothing(version, game, arguments):
        return result

    assay.cluster._play = play_nothing
    assay.cluster._Leg.merge = lambda leg, shards: [leg.file(shard).unlink() for shard in shards]

    assay.cluster.open_run = lambda path: SimpleNamespace(missing=lambda games: [])

    shape = {"n_workers": options.workers, "threads_per_worker": 1, "processes": False}
    began = time.perf_counter()
    with (
        LocalCluster(**shape, dashboard_address=None, memory_limit=0) as cluster,
        Client(cluster) as client,
        tempfile.TemporaryDirectory() as folder,
    ):
        client.wait_for_workers(options.workers)
        print(f"{options.workers} workers started in {time.perf_counter() - began:.1f} s")
        path = Path(folder) / "nothing.db"
        path.with_name(f"{path.name}.shards").mkdir()
        campaign = assay.cluster._Campaign(client, "gamma2", options.games_per_task, 0, None)
        games = options.tasks * options.games_per_task
        run = assay.cluster._Run(path, {"nodes": 1_000}, games, [(0, games)])
        began, worked = time.perf_counter(), time.process_time()
        campaign.play([run])
        seconds, processor = time.perf_counter() - began, time.process_time() - worked
        print(
            f"{options.tasks} tasks with results of {moved / 1e3:.0f} kB in {seconds:.1f} s: {options.tasks / seconds:.0f} tasks/s; "
            f"processor time {processor / options.tasks * 1e3:.1f} ms per task"
        )


if __name__ == "__main__":
    main()
