"""Damaged pickles: what reaches this package raises ValueError, and nothing crashes or hangs."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import assay
import pytest

# What Python's pickle raises before it calls this package: for unknown opcodes and names, calls with too few arguments, and absurd lengths.
# Some versions of Python print `SystemError: deallocated bytearray object has exported buffers` before the MemoryError of an absurd length;
# `bytearray(1 << 62)` does so, too.
PICKLE_ERRORS = (
    ValueError,
    pickle.UnpicklingError,
    AttributeError,
    EOFError,
    ImportError,
    IndexError,
    KeyError,
    MemoryError,
    OverflowError,
    TypeError,
)

# Bytes that are damaged in each pickle: the first ones, which have most of the opcodes, and so many of the rest.
FIRST, REST = 100, 30


def picklable(root, run):
    """One object of each type that can be pickled."""
    position = assay.Position("chess")
    analysis = assay.Engine("chess").analyse(position, nodes=200, lines=2)
    position.push("e4")
    return [
        assay.Game("chess"),
        assay.Game.from_toml((root / "rules/variants/gamma2.toml").read_text()),
        position,
        assay.Position("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1").outcome() or assay.Outcome("checkmate", 1.0),
        analysis,
        analysis.lines[0],
        analysis.score,
        assay.report(root / "testdata/values/chess-fairy-stockfish.json").measurement,
        assay.open(run),
    ]


def use(value):
    """Calls what depends on the contents."""
    str(value), repr(value), value == value
    if isinstance(value, assay.Measurement):
        value.html(), value.values, value.coefficients, value.covariance
    if isinstance(value, assay.Score):
        value.white, value.black


def damaged(data):
    """Copies of bytes with one flipped bit, and beginnings of them."""
    step = max(1, (len(data) - FIRST) // REST)
    for place in [*range(min(FIRST, len(data))), *range(FIRST, len(data), step)]:
        for bit in (0x01, 0x10, 0x80):
            copy = bytearray(data)
            copy[place] ^= bit
            yield bytes(copy)
        yield data[:place]


def damaged_arguments(value):
    """What pickle calls, with one argument damaged."""
    call, arguments, *_ = value.__reduce_ex__(4)
    for index, argument in enumerate(arguments):
        if isinstance(argument, str):
            wrong = ["", argument[:-1], argument[1:], argument.replace("1", "-1"), argument.replace(":", "")]
        elif isinstance(argument, (int, float)) and not isinstance(argument, bool):
            wrong = [-argument, 0, -(2**31), 2**64, float("nan"), float("inf")]
        else:
            wrong = []
        for other in [*wrong, None, b"", ()]:
            yield call, (*arguments[:index], other, *arguments[index + 1 :])


def fuzz(root, run):
    for value in picklable(root, run):
        for protocol in (2, 5):
            for data in damaged(pickle.dumps(value, protocol)):
                try:
                    copy = pickle.loads(data)
                except PICKLE_ERRORS:
                    continue
                use(copy)
        for call, arguments in damaged_arguments(value):
            try:
                copy = call(*arguments)
            except (ValueError, TypeError, OverflowError):
                # As for every function, an argument of another type is a TypeError, and a number too large for its type an OverflowError.
                continue
            use(copy)


def test_damaged_pickles_raise_value_errors(root, value_run):
    pytest.importorskip("resource")
    script = [sys.executable, __file__, root, value_run.path]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2_000:]


def test_a_damaged_measurement_is_named(root):
    measurement = assay.report(root / "testdata/values/chess.json").measurement
    parse, (text,) = measurement.__reduce__()
    wrong = re.sub(r'"clusters": \d+', '"clusters": 1000000000', text, count=1)
    assert wrong != text
    with pytest.raises(assay.AssayError, match=r"pickle: diagnostics.calibration\[0\].residual.clusters: found 1000000000"):
        parse(wrong)


if __name__ == "__main__":
    import resource

    # Damaged memo numbers make pickle ask for as much memory as they say.
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    fuzz(Path(sys.argv[1]), Path(sys.argv[2]))
