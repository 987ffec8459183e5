"""The stubs describe what is there."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest


def test_stubs_match_the_module():
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "assay", "--ignore-disjoint-bases"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_docstrings_are_those_of_the_module():
    generator = runpy.run_path(str(Path(__file__).parents[1] / "stubs.py"))
    stubs = generator["STUBS"].read_text()
    assert stubs == generator["with_docstrings"](stubs), "run python/stubs.py"
