"""Long calls release the GIL and stop at Ctrl-C."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

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
    "selfplay": "assay.selfplay('chess', games=1_000_000, nodes=500, out=sys.argv[1])",
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
