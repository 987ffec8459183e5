"""The example scripts run, with small numbers."""

import os
import re
import subprocess
import sys

import assay
import pytest
from conftest import ROOT

pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the scripts measure Linux processes")


def run_example(name, *arguments):
    command = [sys.executable, ROOT / "python/examples" / name, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_speedup():
    output = run_example("speedup.py", "--games", 16, "--nodes", 5, "--games-per-task", 4, "--repetitions", 2)
    assert re.search(r"median speed-up \d+\.\d+, without Dask \d+\.\d+\ngames of all runs: 16 with hash [0-9a-f]{16};", output)


def test_scheduler_load():
    output = run_example("scheduler_load.py", "--workers", 4, "--tasks", 30, "--seconds", 0.01, "--processes", 2)
    assert "4 workers in 2 processes" in output
    assert re.search(r"scheduler: \d+% of a processor, \d+\.\d ms per task", output)


def test_merge_cost(tmp_path):
    """The rows that the script makes are merged: their digests are right."""
    pytest.importorskip("blake3")
    source = tmp_path / "games.db"
    assay.selfplay("gamma2", data=source, games=6, nodes=5, material="values")
    output = run_example("merge_cost.py", source, "--folder", tmp_path, "--games", 2_048, "--games-per-file", 2, "--every", 2)
    assert re.findall(r"batch (\d): ([\d,]+) games", output) == [("1", "512"), ("3", "1,536"), ("4", "2,048")]
    assert "counting the games: 2048;" in output and "quick check: ok;" in output
    assert list(tmp_path.iterdir()) == [source]


def test_slurm_scripts_need_the_name_of_a_run_file():
    """The merge finds the shards of OUT.db only."""
    script = ROOT / "examples/slurm/submit.sh"
    result = subprocess.run(["bash", script, "2", "values", "validate", "gamma2"], capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "found values, expected the name of a file that ends in .db" in result.stderr


def test_slurm_tasks_resume_a_match_only_if_its_file_exists(tmp_path):
    """`match` refuses -resume without a file, and a file without -resume."""
    program = tmp_path / "assay-selfplay"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "SLURM_ARRAY_TASK_ID": "2"}
    environment.pop("SLURM_CPUS_PER_TASK", None)

    def run_task(*command):
        script = ["bash", ROOT / "examples/slurm/shard.sbatch", "3", "out.db", *command]
        result = subprocess.run(script, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
        assert result.returncode == 0, result.stderr
        return result.stdout

    end = "--shard 2/3 --progress plain\n"
    match = "match chess -rounds 9 -data out-shard-2-of-3.db -concurrency 1"
    generate = f"generate chess --data out-shard-2-of-3.db --threads 1 {end}"
    assert run_task("match", "chess", "-rounds", "9") == f"{match} {end}"
    assert run_task("generate", "chess") == generate
    (tmp_path / "out-shard-2-of-3.db").touch()
    assert run_task("match", "chess", "-rounds", "9") == f"{match} -resume {end}"
    assert run_task("generate", "chess") == generate
