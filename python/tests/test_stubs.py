"""The stubs describe what is there."""

import subprocess
import sys

import pytest


def test_stubs_match_the_module():
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "assay", "--ignore-disjoint-bases"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
