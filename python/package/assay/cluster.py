"""Games and piece values from a cluster, with Dask.

>>> from dask.distributed import Client
>>> import assay.cluster
>>> client = Client("tcp://scheduler:8786")
>>> measurement = assay.cluster.validate(client, "gamma2", games=20_000, data="gamma2.db", progress=True)

The games are those that one machine would play: seed and settings determine them. Workers need the same build of this package, and no
shared folder. The calling process needs the file `data` and, while games are played, the folder `data`.shards beside it: a result is
written there, durably, before it counts. A call that was interrupted, or killed, is continued by the same call.

`docs/cluster.md` tells how the work is divided, and what to expect of large clusters.
"""

from __future__ import annotations

import itertools
import math
import numbers
import operator
import os
import re
import tempfile
import time
import uuid
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from . import AssayError, Game, Measurement, Run, fit
from . import open as open_run
from . import selfplay as play_here
from ._assay import _identity, _merge_batch, _next_round
from ._progress import reporter

try:
    from distributed import Client, Future, as_completed, get_worker
except ImportError:
    raise ImportError("assay.cluster needs Dask: pip install distributed") from None

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:
    # Windows
    fcntl = None

__all__ = ["selfplay", "validate"]

_Progress = bool | Callable[[int, int | None], object] | None

# The largest number of games of a run, and of bootstrap replicates.
_MAX_GAMES = 1 << 40
_MAX_RESAMPLES = 100_000

# A finished shard: its first game, the end of its batch, its number, and the number of shards.
_SHARD_FILE = re.compile(r"(\d+)-(\d+)-\d+-of-(\d+)\.db")

# Games of a task times nodes per move: a quarter of a minute on the processor of `docs/cluster.md`. More would leave workers idle in short
# runs; large clusters need more (`games_per_task`).
_TASK_NODES = 250_000

# Tasks whose results are merged at a time. The merge reads this many files side by side in one pass.
_BATCH_TASKS = 256

# Tasks with the scheduler for each thread of the workers: one that is played and one that waits.
_TASKS_PER_THREAD = 2

# Seconds that a task takes at least if it fails.
_FAILURE_DELAY = 1.0

# Seconds between two looks at the size of the cluster.
_CLUSTER_POLL = 5.0


def selfplay(
    client: Client,
    game: Game | str,
    *,
    games: int,
    data: str | os.PathLike[str],
    nodes: int = 2_000,
    seed: int = 1,
    hash: int = 4,
    material: Literal["none", "values", "playtest"] = "none",
    setup: str = "random",
    opening_plies: int | None = None,
    balance: int | Literal["off"] | None = None,
    jitter: str | None = None,
    decided: int | Literal["off"] | None = None,
    evaluation: Literal["linear", "network"] | None = None,
    games_per_task: int | None = None,
    retries: int = 5,
    progress: _Progress = None,
) -> Run:
    """Plays games of the engine against itself on the workers of `client` and stores them in the run file `data`.

    The arguments and the games are those of `assay.selfplay`; the same call continues an interrupted run. `games_per_task` is chosen from
    `nodes` for tasks of about a quarter of a minute. A task whose worker dies or fails is submitted again, if possible to another worker, up to
    `retries` times.
    """
    settings = {
        "nodes": nodes,
        "seed": seed,
        "hash": hash,
        "material": material,
        "setup": setup,
        "opening_plies": opening_plies,
        "balance": balance,
        "jitter": jitter,
        "decided": decided,
        "evaluation": evaluation,
    }
    path = _run_file(data)
    with _DistributedRun(client, game, games_per_task, retries, progress) as distributed, _locked(path):
        distributed.play([distributed.start(path, settings, games)])
    return open_run(path)


def validate(
    client: Client,
    game: Game | str,
    *,
    data: str | os.PathLike[str],
    games: int = 5_000,
    precision: float | None = None,
    playtest: int = 0,
    nodes: int = 400,
    seed: int = 1,
    evaluation: Literal["linear", "network"] | None = None,
    phase_model: Literal["piecewise", "constant"] = "piecewise",
    resamples: int = 1_000,
    games_per_task: int | None = None,
    retries: int = 5,
    progress: _Progress = None,
) -> Measurement:
    """Plays games on the workers of `client` and measures piece values from them, as `assay-tuner validate` does on one machine.

    The games are kept in the run file `data`, those of the playtest in a file beside it (`runs-playtest.db` for `runs.db`); both can be
    read by `assay.open` and by the programs. With `precision`, more games are played in rounds until the half-width of every interval is
    at most this percentage of the army. `playtest` is the number of games of the second method; if they are too few to measure
    anything, there is a warning. The other arguments are those of `assay.fit` and `assay.cluster.selfplay`.
    """
    games = _whole_number("games", games, 2, _MAX_GAMES)
    playtest = _whole_number("playtest", playtest, 0, _MAX_GAMES)
    resamples = _whole_number("resamples", resamples, 0, _MAX_RESAMPLES)
    is_percentage = isinstance(precision, numbers.Real) and 0 < precision < math.inf
    _expect(precision is None or is_percentage, "precision", precision, "a percentage above 0")
    known = ("piecewise", "constant")
    _expect(
        phase_model in known, "phase_model", f"`{phase_model}`", "piecewise or constant"
    )
    path = _run_file(data)
    playtest_path = path.with_name(f"{path.stem}-playtest.db")
    common = {"nodes": nodes, "seed": seed, "evaluation": evaluation}
    distributed = _DistributedRun(client, game, games_per_task, retries, progress)
    with distributed, _locked(path), _locked(playtest_path):

        def values_run(games: int) -> _Run:
            return distributed.start(path, {**common, "material": "values"}, games)

        def playtest_run(games: int) -> list[_Run]:
            return [distributed.start(playtest_path, {**common, "material": "playtest"}, games)] if games > 0 else []

        if precision is None:
            distributed.play([values_run(games), *playtest_run(playtest)])
        else:
            if path.exists():
                # A round that was interrupted is completed before anything is measured, so that the rounds are those of a call that
                # was not interrupted.
                games = max(games, open_run(path).planned)
            distributed.play([values_run(games)])
            while (more := _next_round(path, games, precision, phase_model)) is not None:
                games = more
                distributed.play([values_run(games)])
            distributed.play(playtest_run(playtest))
    if playtest > 0:
        try:
            return fit(path, playtest=playtest_path, phase_model=phase_model, resamples=resamples)
        except AssayError as error:
            # The regression is valid without the playtest. If it is the regression that fails, it fails again.
            measurement = fit(path, phase_model=phase_model, resamples=resamples)
            warnings.warn(f"no playtest: {error}", stacklevel=2)
            return measurement
    return fit(path, phase_model=phase_model, resamples=resamples)


@dataclass(frozen=True, eq=False)
class _Run:
    """A run with missing games. Its file exists."""

    path: Path
    settings: dict[str, Any]
    games: int
    # Missing games of the file, as half-open ranges of game numbers.
    missing: list[tuple[int, int]]
    # That of the player, which all workers must have.
    identity: str

    def folder(self) -> Path:
        return _shard_folder(self.path)


@dataclass(frozen=True, eq=False)
class _Batch:
    """Consecutive games of a run, which are divided into shards and merged together."""

    run: _Run
    first: int
    end: int
    shards: int

    def missing(self) -> dict[int, int]:
        """Number of missing games by shard, from 1; complete shards are omitted."""
        counts: dict[int, int] = {}
        for first, end in self.run.missing:
            for game in range(max(first, self.first), min(end, self.end)):
                shard = game // 2 % self.shards + 1
                counts[shard] = counts.get(shard, 0) + 1
        return dict(sorted(counts.items()))

    def file(self, shard: int) -> Path:
        return self.run.folder() / f"{self.first}-{self.end}-{shard}-of-{self.shards}.db"

    def merge(self, shards: list[int]) -> None:
        files = [self.file(shard) for shard in shards]
        _merge_batch(self.run.path, files)
        for file in files:
            file.unlink()


@dataclass(frozen=True, eq=False)
class _Failure:
    """Why a task failed, and the worker; empty if unknown."""

    worker: str
    error: Exception


@dataclass(frozen=True, eq=False)
class _Task:
    """The games of a shard in a batch."""

    batch: _Batch
    shard: int
    games: int

    def arguments(self) -> dict[str, Any]:
        batch = self.batch
        return {**batch.run.settings, "games": batch.end, "first_game": batch.first, "shard": f"{self.shard}/{batch.shards}"}


def _batches(run: _Run, games_per_task: int) -> Iterator[_Batch]:
    """Divides a run into batches. The division depends on the games, not on the workers, so that a run can continue on another cluster."""
    size = _BATCH_TASKS * games_per_task
    for first in range(0, run.games, size):
        end = min(first + size, run.games)
        yield _Batch(run, first, end, -(-(end - first) // games_per_task))


class _DistributedRun:
    """Plays runs on the workers of a client."""

    def __init__(
        self, client: Client, game: Game | str, games_per_task: int | None, retries: int, progress: _Progress
    ) -> None:
        if not isinstance(client, Client) or client.asynchronous:
            raise AssayError(f"client: found {client!r}, expected a dask.distributed.Client that is not asynchronous")
        _expect(client.status not in ("closing", "closed"), "client", "a closed Client", "a connected one")
        if games_per_task is not None:
            games_per_task = _whole_number("games_per_task", games_per_task, 2, _MAX_GAMES)
        retries = _whole_number("retries", retries, 0, 1_000)
        self._client = client
        self._game = game if isinstance(game, Game) else Game(game)
        self._games_per_task = games_per_task
        self._retries = retries
        self._report = reporter(progress, "games")
        self._name = uuid.uuid4().hex
        self._submissions = itertools.count()
        self._threads = (-math.inf, 0)

    def __enter__(self) -> _DistributedRun:
        return self

    def __exit__(self, *_: object) -> None:
        if self._report is not None:
            self._report.close()

    def start(self, path: Path, settings: dict[str, Any], games: int) -> _Run:
        """Creates the file of a run, or opens it if it holds the same run, and merges what was finished before an interruption."""
        games = _whole_number("games", games, 1, _MAX_GAMES)
        # Plays nothing: the first game is the one after the last pair. Checks the arguments, too.
        play_here(self._game, data=path, games=games, first_game=games + games % 2, threads=1, **settings)
        _merge_left_over(path)
        identity = _identity(self._game, settings["evaluation"])
        return _Run(path, settings, games, open_run(path).missing(games), identity)

    def play(self, runs: list[_Run]) -> None:
        """Plays the missing games of runs and merges them."""
        total = sum(run.games for run in runs)
        done = total - sum(end - first for run in runs for first, end in run.missing)
        self._show(done, total)
        tasks = self._tasks(runs)
        # The shards of a batch that are still missing, and those that are finished.
        unfinished: dict[_Batch, set[int]] = {}
        finished: dict[_Batch, list[int]] = {}
        # Tasks with the workers on which they have failed.
        running: dict[Future, tuple[_Task, list[str]]] = {}
        completed = as_completed(loop=self._client.loop)
        try:
            while True:
                while len(running) < self._limit() and (task := next(tasks, None)) is not None:
                    if task.batch not in unfinished:
                        unfinished[task.batch], finished[task.batch] = set(task.batch.missing()), []
                    self._submit(task, [], running, completed)
                if not running:
                    break
                for future in completed.next_batch():
                    task, failed = running.pop(future)
                    result = self._result(future)
                    future.release()
                    if isinstance(result, _Failure):
                        # The scheduler may move a task back to a worker that is idle because it fails.
                        is_moved_back = result.worker and result.worker in failed and self._others(failed)
                        if not is_moved_back:
                            if len(failed) == self._retries:
                                raise result.error
                            failed = [*failed, result.worker]
                        self._submit(task, failed, running, completed)
                        continue
                    batch = task.batch
                    _write_durably(batch.file(task.shard), zlib.decompress(result))
                    done += task.games
                    self._show(done, total)
                    unfinished[batch].remove(task.shard)
                    finished[batch].append(task.shard)
                    if not unfinished[batch]:
                        batch.merge(sorted(finished[batch]))
                        del unfinished[batch], finished[batch]
        finally:
            with suppress(Exception):
                self._client.cancel(list(running))
        for run in runs:
            if left := open_run(run.path).missing(run.games):
                raise AssayError(
                    f"{run.path}: found no game {left[0][0]} after all tasks, expected it; the same call plays it"
                )

    def _tasks(self, runs: list[_Run]) -> Iterator[_Task]:
        for run in runs:
            size = self._games_per_task or max(2, round(_TASK_NODES / run.settings["nodes"] / 2) * 2)
            for batch in _batches(run, size):
                for shard, games in batch.missing().items():
                    yield _Task(batch, shard, games)

    def _limit(self) -> int:
        """Number of tasks to keep submitted to the scheduler."""
        asked, threads = self._threads
        if time.monotonic() - asked > _CLUSTER_POLL:
            threads = sum(self._client.nthreads().values())
            self._threads = (time.monotonic(), threads)
        return max(4, _TASKS_PER_THREAD * threads)

    def _submit(
        self,
        task: _Task,
        failed: list[str],
        running: dict[Future, tuple[_Task, list[str]]],
        completed: as_completed,
    ) -> None:
        run = task.batch.run
        key = f"assay.play-{self._name}-{run.path.name}-{task.batch.first}-{task.shard}-{next(self._submissions)}"
        others = self._others(failed) if failed else []
        future = self._client.submit(
            _play,
            run.identity,
            self._game,
            task.arguments(),
            key=key,
            pure=False,
            workers=others or None,
            allow_other_workers=bool(others),
        )
        running[future] = (task, failed)
        completed.add(future)

    def _others(self, failed: list[str]) -> list[str]:
        """The workers that are not among these."""
        return [worker for worker in self._client.nthreads() if worker not in failed]

    def _result(self, future: Future) -> bytes | _Failure:
        """The result of a task. Raises errors that are final."""
        try:
            return future.result()
        except (AssayError, ImportError):
            # A worker without this package, or with another build of it.
            raise
        except Exception as error:
            if future.status == "error":
                return _Failure("", error)
            raise ConnectionError(
                "the scheduler was lost or restarted, or the task was cancelled; what was finished is kept, and the same "
                "call continues"
            ) from error

    def _show(self, done: int, total: int) -> None:
        if self._report is not None:
            self._report(done, total)


def _play(identity: str, game: Game, arguments: dict[str, Any]) -> bytes | _Failure:
    """On a worker: plays a part of a shard. Returns its run file, compressed."""
    worker = get_worker().address
    found = _identity(game, arguments["evaluation"])
    _expect(found == identity, f"worker {worker}", f"the player {found}", f"{identity}, as the client has")
    try:
        with tempfile.TemporaryDirectory(prefix="assay-") as folder:
            path = Path(folder) / "shard.db"
            # Dask counts tasks, so a task uses one thread.
            play_here(game, data=path, threads=1, **arguments)
            return zlib.compress(path.read_bytes(), 1)
    except Exception as error:
        # The client has checked the arguments, so it is this machine that fails. If it failed at once, it would take all tasks.
        time.sleep(_FAILURE_DELAY)
        return _Failure(worker, error)


def _run_file(data: str | os.PathLike[str]) -> Path:
    path = Path(data)
    _expect(path.name != "", "data", f"`{os.fspath(data)}`", "the path of a file")
    return path


def _shard_folder(path: Path) -> Path:
    return path.with_name(f"{path.name}.shards")


def _merge_left_over(path: Path) -> None:
    """Merges the files of an interrupted run."""
    divisions: dict[tuple[str, ...], list[Path]] = {}
    for file in sorted(_shard_folder(path).glob("*")):
        if file.suffix == ".unfinished":
            file.unlink()
        elif name := _SHARD_FILE.fullmatch(file.name):
            divisions.setdefault(name.groups(), []).append(file)
        else:
            raise AssayError(f"{file}: found a file that is not a shard of this run; move it to another folder")
    for files in divisions.values():
        _merge_batch(path, files)
        for file in files:
            file.unlink()


def _write_durably(path: Path, contents: bytes) -> None:
    """Writes a file atomically: it is complete if it exists, even after a power failure."""
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        file.write(contents)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Creates the folder of finished shards, which locks the run file against other callers."""
    folder = _shard_folder(path)
    while True:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise AssayError(f"{folder}: {error.strerror}") from None
        if fcntl is None:
            handle = None
            break
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise AssayError(f"{path}: found another run that uses it, expected only one at a time") from None
        except OSError as error:
            with suppress(OSError):
                folder.rmdir()
            os.close(handle)
            raise AssayError(f"{folder}: cannot lock the folder: {error.strerror}") from None
        # The other run may have ended and removed the folder in between.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.stat(folder)):
                break
        os.close(handle)
    try:
        yield
    finally:
        with suppress(OSError):
            folder.rmdir()
        if handle is not None:
            os.close(handle)


def _expect(is_valid: bool, name: str, found: object, expected: str) -> None:
    if not is_valid:
        raise AssayError(f"{name}: found {found}, expected {expected}")


def _whole_number(name: str, number: object, first: int, last: int) -> int:
    expected = f"a whole number from {first} to {last}"
    try:
        index = operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name}: found {number!r}, expected {expected}") from None
    _expect(first <= index <= last, name, index, expected)
    return index
