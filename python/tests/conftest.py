"""Fixtures: the repository's data, Assay's programs, and a small run file."""

import os
import subprocess
from pathlib import Path

import assay
import pytest

ROOT = Path(__file__).resolve().parents[2]


def program_path(name):
    """A program of this repository, built by cargo; `ASSAY_PROGRAMS` names another folder."""
    folders = [os.environ.get("ASSAY_PROGRAMS"), ROOT / "target/release", ROOT / "target/debug"]
    for folder in filter(None, folders):
        path = Path(folder) / name
        if path.exists():
            return path
    pytest.skip(f"{name} is not built")


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def run_program():
    """Runs a program and returns what it prints."""

    def run(name, *args, status=0):
        result = subprocess.run([program_path(name), *map(str, args)], capture_output=True, text=True, check=False)
        assert result.returncode == status, result.stderr
        return result.stdout if status == 0 else result.stderr

    return run


VALUE_RUN = {"games": 300, "nodes": 60, "seed": 5, "material": "values"}


@pytest.fixture(scope="session")
def value_run(tmp_path_factory):
    """Games from unequal armies, enough to fit values."""
    return assay.selfplay("gamma2", data=tmp_path_factory.mktemp("runs") / "gamma2.db", **VALUE_RUN)
