"""Long calls release the GIL and stop at Ctrl-C."""

import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import closing

import assay
import pytest


def test_other_threads_run_meanwhile():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    assay.Engine("chess").analyse(assay.Position("chess"), movetime=0.5)
    done.set()
    thread.join()
    assert len(ticks) > 10


CALLS = {
    "perft": "assay.Position('chess').perft(12)",
    "analyse": "assay.Engine('chess').analyse(assay.Position('chess'), depth=90)",
    "selfplay": "assay.selfplay('chess', games=1_000_000, nodes=500, data=sys.argv[1])",
}


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
@pytest.mark.parametrize("call", CALLS)
def test_interrupts(call, tmp_path):
    script = f"""
        import sys, time, assay
        print("ready", flush=True)
        try:
            {CALLS[call]}
        except KeyboardInterrupt:
            print("interrupted")
    """
    path = tmp_path / "games.db"
    command = [sys.executable, "-c", textwrap.dedent(script), path]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    sent = time.perf_counter()
    assert process.communicate(timeout=60)[0] == "interrupted\n"
    assert process.returncode == 0 and time.perf_counter() - sent < 10
    if call == "selfplay":
        # What was played is kept.
        assert len(assay.open(path)) > 0


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
def test_an_interrupt_stops_a_fit_while_it_reads(value_run, tmp_path):
    # The same games under other seeds, which count as other runs.
    paths = [tmp_path / f"{seed}.db" for seed in range(30)]
    for seed, path in enumerate(paths):
        shutil.copy(value_run.path, path)
        with closing(sqlite3.connect(path)) as database, database:
            assert database.execute("UPDATE run SET value = ? WHERE key = 'seed'", [str(seed)]).rowcount == 1
    games = len(paths) * len(value_run)
    options = {"phase_model": "constant", "resamples": 0}

    # Processor time does not depend on what else the machine does.
    calls = []
    start = time.process_time()
    assay.fit(paths, **options, progress=lambda done, total: calls.append((done, total)))
    whole = time.process_time() - start
    assert calls[-1] == (games, games)
    assert calls == sorted(set(calls))

    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    try:
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, whole / 10)
        with pytest.raises(KeyboardInterrupt):
            assay.fit(paths, **options)
        assert time.process_time() - start < whole / 2
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_an_exception_of_the_callback_stops_the_call():
    def fail(done, total):
        raise RuntimeError(f"at {done} of {total}")

    with pytest.raises(RuntimeError, match="at "):
        assay.Position("chess").perft(7, progress=fail)


def test_shows_a_bar(capsys):
    pytest.importorskip("tqdm")
    assay.Position("chess").perft(4, progress=True)
    assert "parts" in capsys.readouterr().err
    with pytest.raises(TypeError, match="progress: found 3"):
        assay.Position("chess").perft(2, progress=3)


def fit_and_read(path):
    run = assay.open(path)
    return assay.fit(run, phase_model="constant", resamples=20).json(), len(run.games()), len(run.positions())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
def test_works_in_a_forked_process(value_run):
    here = fit_and_read(value_run.path)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(fit_and_read, [value_run.path]).get(timeout=120) == here
