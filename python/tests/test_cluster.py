"""Runs on a cluster: games and measurement equal those of one machine, whichever processes are killed."""

import contextlib
import errno
import hashlib
import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import assay
import pytest

distributed = pytest.importorskip("distributed")
import assay.cluster

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed")

# Small tasks, so that there are many.
SETTINGS = {"nodes": 20, "seed": 5, "material": "values"}
GAMES = 80
RUN = {**SETTINGS, "games": GAMES, "games_per_task": 4}

# Far more than a busy machine needs.
PATIENCE = 300


def games_hash(path):
    """A hash of all that is stored about the games."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT * FROM games ORDER BY idx").fetchall()
    return len(rows), hashlib.sha256(repr(rows).encode()).hexdigest()


@pytest.fixture(scope="module")
def one_machine(tmp_path_factory):
    """The same games, played here."""
    path = tmp_path_factory.mktemp("one-machine") / "gamma2.db"
    assay.selfplay("gamma2", data=path, games=GAMES, **SETTINGS)
    return games_hash(path)


@contextlib.contextmanager
def local_cluster():
    """Two workers of one thread, each a process, that are replaced when they die."""
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def client():
    with local_cluster() as client:
        yield client


def wait_for(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited for {what} in vain"
        time.sleep(0.05)
    return found


def check_clean(path):
    """No shard is left beside the file, and it is one plain file."""
    assert [file.name for file in path.parent.iterdir() if file.name.startswith(path.stem)] == [path.name]


def test_measures_what_one_machine_measures(client, run_program, tmp_path):
    """The command line's games and figures, playtest included; and again without playing."""
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    arguments = {"games": 160, "nodes": 10, "seed": 3, "phase_model": "constant", "resamples": 20}
    flags = ["--games", 160, "--nodes", 10, "--seed", 3, "--phase-model", "constant", "--resamples", 20, "--playtest", 4, "--json"]
    expected = json.loads(run_program("assay-tuner", "validate", "gamma2", *flags, "--data", here))
    # As on the command line, too few games of the playtest are no error.
    with pytest.warns(UserWarning, match="no playtest: .*more games are needed"):
        measured = assay.cluster.validate(client, "gamma2", data=there, games_per_task=20, playtest=4, **arguments)
    assert games_hash(there) == games_hash(here)
    assert games_hash(tmp_path / "there-playtest.db") == games_hash(tmp_path / "here-playtest.db")
    found = measured.to_dict()
    # What differs: the command that was given, and the paths.
    for report in [expected, found]:
        report.pop("command", None)
        report["files"] = [{**file, "path": None} for file in report["files"]]
    assert found == expected
    again = assay.cluster.validate(client, "gamma2", data=there, playtest=0, **arguments)
    assert again.json() == measured.json()


def test_stops_at_the_precision_of_the_command_line(client, run_program, tmp_path):
    """After further rounds, since 60 games are too few."""
    here, there, game = tmp_path / "here.db", tmp_path / "there.db", "chess"
    arguments = {"games": 60, "nodes": 5, "precision": 30, "playtest": 0, "phase_model": "constant", "resamples": 0}
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in arguments.items()]
    run_program("assay-tuner", "validate", game, *flags, "--json", "--data", here)
    # As if a call had been killed in the middle of the second round.
    assay.selfplay(game, data=there, games=90, nodes=5, seed=1, material="values")
    assay.selfplay(game, data=there, games=260, first_game=200, nodes=5, seed=1, material="values")
    assay.cluster.validate(client, game, data=there, games_per_task=20, **arguments)
    assert games_hash(there) == games_hash(here)
    assert len(assay.open(there)) > 60


def test_a_definition_travels_to_the_workers(client, root, tmp_path):
    game = min((root / "testdata/games").glob("**/*.toml"))
    run = assay.cluster.selfplay(client, str(game), data=tmp_path / "there.db", games=8, nodes=20, games_per_task=2)
    here = assay.selfplay(str(game), data=tmp_path / "here.db", games=8, nodes=20)
    assert games_hash(run.path) == games_hash(here.path)
    assert pickle.loads(pickle.dumps(run.game)) == run.game
    chess = pickle.loads(pickle.dumps(assay.Game("chess")))
    assert chess == assay.Game("chess") and chess.definition_text is None


def test_a_worker_is_killed_while_it_plays(client, one_machine, tmp_path):
    path = tmp_path / "gamma2.db"
    killed = []

    def kill(done, total):
        assert total == GAMES
        if not killed and done > 0:
            # Workers that have tasks, not only nannies.
            busy = [worker for worker, tasks in client.processing().items() if tasks]
            pid = client.run(os.getpid, workers=busy[:1])[busy[0]]
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    assay.cluster.selfplay(client, "gamma2", data=path, progress=kill, **RUN)
    assert killed
    assert games_hash(path) == one_machine
    check_clean(path)


def die_while_sending(folder, dask_worker):
    """On a worker: the first result that is asked for is sent to the half, in one worker of all."""
    send = dask_worker.get_data

    async def get_data(comm, *args, **kwargs):
        try:
            Path(folder, "sending").touch(exist_ok=False)
        except FileExistsError:
            return await send(comm, *args, **kwargs)
        write = comm.stream.write_to_fd

        def write_half(data):
            write(data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)

        comm.stream.write_to_fd = write_half
        return await send(comm, *args, **kwargs)

    dask_worker.handlers["get_data"] = get_data
    return os.getpid()


def test_a_worker_is_killed_while_it_sends_its_result(client, one_machine, tmp_path):
    path = tmp_path / "gamma2.db"
    client.wait_for_workers(2, timeout=PATIENCE)
    before = set(client.run(die_while_sending, str(tmp_path)).values())
    assay.cluster.selfplay(client, "gamma2", data=path, **RUN)
    assert (tmp_path / "sending").exists()
    assert set(client.run(os.getpid).values()) != before
    assert games_hash(path) == one_machine
    check_clean(path)


def spawn(*command):
    return subprocess.Popen([sys.executable, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def processes_of_a_cluster(folder):
    """A scheduler and two workers, each started as on a cluster. Yields the scheduler's process and a client."""
    folder.mkdir()
    address = folder / "scheduler.json"
    scheduler = spawn(
        "-m", "distributed.cli.dask_scheduler", "--port", 0, "--no-dashboard", "--scheduler-file", address
    )
    worker = [
        "-m",
        "distributed.cli.dask_worker",
        "--nthreads",
        1,
        "--no-nanny",
        "--no-dashboard",
        "--scheduler-file",
        address,
    ]
    workers = [spawn(*worker, "--death-timeout", PATIENCE) for _ in range(2)]
    try:
        wait_for(lambda: address.exists() and address.read_text().endswith("}"), "the scheduler")
        with distributed.Client(scheduler_file=str(address), timeout=PATIENCE) as client:
            yield scheduler, client
    finally:
        for process in [scheduler, *workers]:
            process.kill()
        for process in [scheduler, *workers]:
            process.wait()


def test_the_scheduler_and_the_client_are_restarted(one_machine, tmp_path):
    """The scheduler is killed, then a client; a third call ends what the two began."""
    path = tmp_path / "gamma2.db"
    with distributed_settings(), processes_of_a_cluster(tmp_path / "one") as (scheduler, client):

        def kill(done, total):
            if done > 0:
                scheduler.kill()

        with pytest.raises(Exception) as raised:
            assay.cluster.selfplay(client, "gamma2", data=path, progress=kill, **RUN)
        assert not isinstance(raised.value, assay.AssayError)
    finished = len(list(Path(f"{path}.shards").glob("*.db")))
    assert finished > 0
    with processes_of_a_cluster(tmp_path / "two") as (_, client):
        script = f"""
            import assay.cluster, distributed
            client = distributed.Client({client.scheduler.address!r})
            assay.cluster.selfplay(client, "gamma2", data={str(path)!r}, **{RUN!r})
        """
        caller = spawn("-c", textwrap.dedent(script))
        try:
            wait_for(
                lambda: caller.poll() is not None or 0 < len(list(Path(f"{path}.shards").glob("*.db"))) != finished,
                "results of the second client",
            )
        finally:
            caller.kill()
            caller.wait()
        done = len(assay.open(path))
        assay.cluster.selfplay(client, "gamma2", data=path, **RUN)
    assert done >= 4 * finished
    assert games_hash(path) == one_machine
    check_clean(path)


@contextlib.contextmanager
def distributed_settings():
    """A client that soon gives up a scheduler that is gone."""
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "2s"}):
        yield


def test_only_one_run_uses_a_file(client, tmp_path):
    path = tmp_path / "gamma2.db"
    errors = []

    def second(done, total):
        if not errors:
            with pytest.raises(assay.AssayError, match="found another run that uses it") as raised:
                assay.cluster.selfplay(client, "gamma2", data=path, **RUN)
            errors.append(raised)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assay.cluster.selfplay(client, "gamma2", data=path, progress=second, **RUN)
    assert errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "gamma3"}, "gamma3"),
        ({"games": 1}, "games: found 1, expected a whole number from 2 to"),
        ({"nodes": 0}, "nodes: found 0, expected a whole number from 1 to"),
        ({"evaluation": "best"}, "evaluation: found `best`, expected linear or network"),
        ({"resamples": 10**9}, "resamples: found 1000000000, expected a whole number from 0 to 100000"),
        ({"precision": -1}, "precision: found -1, expected a percentage above 0"),
        ({"precision": float("nan")}, "precision: found nan"),
        ({"precision": "x"}, "precision: found x, expected a percentage above 0"),
        ({"playtest": -1}, "playtest: found -1, expected a whole number from 0 to"),
        ({"games_per_task": 1}, "games_per_task: found 1, expected a whole number from 2 to"),
        ({"retries": -1}, "retries: found -1, expected a whole number from 0 to"),
        ({"client": None}, "client: found None, expected a dask.distributed.Client"),
        ({"data": "no/such/folder/gamma2.db"}, "no/such/folder"),
        ({"data": ""}, "data: found ``, expected the path of a file"),
        ({"phase_model": "cubic"}, "phase_model: found `cubic`"),
    ],
)
def test_bad_input_is_one_error(client, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    arguments = {
        "client": client,
        "game": "gamma2",
        "data": "gamma2.db",
        "games": 4,
        "nodes": 5,
        "playtest": 0,
        **arguments,
    }
    with pytest.raises(assay.AssayError, match=message):
        assay.cluster.validate(**arguments)
    assert not (tmp_path / "gamma2.db.shards").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": None}, "games: found None, expected a whole number from"),
        ({"games": "4"}, "games: found '4'"),
        ({"nodes": "5"}, "nodes: found '5'"),
        ({"retries": 1.5}, "retries: found 1.5"),
        ({"games_per_task": "x"}, "games_per_task: found 'x'"),
    ],
)
def test_arguments_of_a_wrong_type(client, tmp_path, arguments, message):
    arguments = {"games": 4, "nodes": 5, "data": tmp_path / "gamma2.db", **arguments}
    for call in [assay.cluster.validate, assay.cluster.selfplay]:
        with pytest.raises(TypeError, match=message):
            call(client, "gamma2", **arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_client_is_refused(client, tmp_path):
    with distributed.Client(client.scheduler.address, set_as_default=False) as closed:
        pass
    with pytest.raises(assay.AssayError, match="client: found a closed Client"):
        assay.cluster.selfplay(closed, "gamma2", data=tmp_path / "gamma2.db", games=4, nodes=5)
    assert list(tmp_path.iterdir()) == []


def test_the_client_need_not_be_the_default(client, tmp_path):
    """In another process, since this one has a default client."""
    script = f"""
        import assay.cluster, distributed
        client = distributed.Client({client.scheduler.address!r}, set_as_default=False)
        print(len(assay.cluster.selfplay(client, "gamma2", data="gamma2.db", games=4, nodes=5)))
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=PATIENCE).stdout == b"4\n"


def test_the_evaluation_of_the_players(client, tmp_path):
    for evaluation in ["linear", "network"]:
        options = {"games": 6, "nodes": 5, "playtest": 0, "resamples": 0, "phase_model": "constant"}
        path = tmp_path / f"{evaluation}.db"
        with contextlib.suppress(assay.AssayError):
            # So few games measure nothing.
            assay.cluster.validate(client, "chess", data=path, evaluation=evaluation, **options)
        here = assay.selfplay("chess", games=6, nodes=5, material="values", evaluation=evaluation, data=tmp_path / "here.db")
        assert games_hash(path) == games_hash(here.path)
        here.path.unlink()


def limit_files(size):
    """On a worker: limits the size of files."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_tasks_of_a_worker_without_space_go_to_another(client, one_machine, tmp_path):
    path = tmp_path / "gamma2.db"
    client.wait_for_workers(2, timeout=PATIENCE)
    workers = list(client.nthreads())
    client.run(limit_files, 4_096, workers=workers[:1])
    try:
        assay.cluster.selfplay(client, "gamma2", data=path, retries=1, **RUN)
        assert games_hash(path) == one_machine
        client.run(limit_files, 4_096)
        with pytest.raises(assay.AssayError, match="shard.db"):
            assay.cluster.selfplay(client, "gamma2", data=tmp_path / "full.db", retries=1, games=4, nodes=5)
    finally:
        import resource

        client.run(limit_files, resource.RLIM_INFINITY)


def set_identity(identity):
    """On a worker: another build's player, or the right one again."""
    from assay import _assay, cluster

    cluster._identity = (lambda game, evaluation: identity) if identity else _assay._identity


def test_another_build_on_a_worker_is_refused_before_it_plays(client, one_machine, tmp_path):
    path = tmp_path / "gamma2.db"
    client.run(set_identity, "other 0.1.0 (0123456789ab)")
    try:
        with pytest.raises(assay.AssayError, match=r"worker tcp.*: found the player other .*, expected assay-engine .*, as the client has"):
            assay.cluster.selfplay(client, "gamma2", data=path, **RUN)
    finally:
        client.run(set_identity, None)
    assay.cluster.selfplay(client, "gamma2", data=path, **RUN)
    assert games_hash(path) == one_machine


def test_files_of_others_are_kept(client, one_machine, tmp_path):
    path, folder = tmp_path / "gamma2.db", tmp_path / "gamma2.db.shards"
    folder.mkdir()
    (folder / "0-16-1-of-4.unfinished").touch()
    for name in ["notes.txt", "x.db"]:
        (folder / name).touch()
        with pytest.raises(assay.AssayError, match=f"{name}: found a file that is not a shard of this run"):
            assay.cluster.selfplay(client, "gamma2", data=path, **RUN)
        (folder / name).rename(tmp_path / name)
    assay.cluster.selfplay(client, "gamma2", data=path, **RUN)
    assert games_hash(path) == one_machine
    check_clean(path)


def test_a_folder_that_cannot_be_locked(client, tmp_path, monkeypatch):
    def flock(handle, operation):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(assay.cluster.fcntl, "flock", flock)
    with pytest.raises(assay.AssayError, match="gamma2.db.shards: cannot lock the folder: No locks available"):
        assay.cluster.selfplay(client, "gamma2", data=tmp_path / "gamma2.db", **RUN)
    assert list(tmp_path.iterdir()) == []


def test_other_runs_are_refused_before_anything_is_played(client, tmp_path):
    path = tmp_path / "gamma2.db"
    assay.selfplay("gamma2", data=path, games=2, nodes=5, seed=1)
    before = path.read_bytes()
    with pytest.raises(assay.AssayError, match="seed"):
        assay.cluster.selfplay(client, "gamma2", data=path, games=4, nodes=5, seed=2)
    assert path.read_bytes() == before
