"""Measurements by the programs, as results with tables."""

import json
import os
import signal
import sys
import threading

import assay
import pytest
from conftest import program_path

SMALL = {"games": 44, "nodes": 5, "seed": 3, "threads": 1}


@pytest.fixture(autouse=True)
def programs(monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_PROGRAMS", str(program_path("assay-tuner").parent))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def result():
    return assay.validate("chess", playtest=0, resamples=0, data="chess.db", **SMALL)


def test_results_are_those_of_the_command_line(result, run_program):
    flags = [part for key, value in SMALL.items() for part in (f"--{key}", value)]
    printed = run_program(
        "assay-tuner", "validate", "chess", *flags, "--playtest", 0, "--resamples", 0, "--data", "chess.db", "--json"
    )
    assert result.data == json.loads(printed)
    assert "queen" in str(result) and "<iframe" in result._repr_html_()
    result.save("chess.json")
    assert str(assay.report("chess.json")) == str(result)
    wrapped = assay.Result(assay.fit("chess.db", resamples=0))
    assert wrapped.table("tables.army") == result.table("tables.army")


def test_tables_have_the_json_in_rows(result):
    bonuses = result.table("bonuses")
    assert [row["piece"] for row in bonuses] == [row["piece"] for row in result.data["bonuses"]]
    assert bonuses[0]["measured.value"] == result.data["bonuses"][0]["measured"]["value"]
    for table in result.data["tables"]:
        rows = result.table(f"tables.{table['unit'] or 'published'}")
        assert [row["piece"] for row in rows] == [value["piece"] for value in table["values"]]
    assert "games.results" in result.tables
    with pytest.raises(assay.AssayError, match="table: found 'price', expected one of .*tables.army"):
        result.table("price")


def test_estimates_can_be_printed_and_are_a_table():
    estimates = assay.weigh("WA", "R", estimate=True)
    assert str(estimates) == "<assay.Result weigh: estimates>" and "<table>" in estimates._repr_html_()
    values = {row["piece"]: row["value.value"] for row in estimates.table()}
    assert values["R"] == 5 and 0 < values["WA"] < 5
    with pytest.raises(assay.AssayError, match="table: found None"):
        assay.Result({"game": "chess"}).table()


def test_verdicts_are_the_words_of_the_command_line(result):
    words = set(assay.fit("chess.db", resamples=0).values.to_dict()["verdict"])
    tables = ["tables.army", "tables.pawns", "tables.minor-pieces", "bonuses"]
    assert words == {row["verdict"] for table in tables for row in result.table(table)} and "unit" in words


def test_other_commands():
    weighed = assay.weigh("WD", playtest=0, resamples=0, phase_model="constant", **{**SMALL, "games": 200})
    assert "WD" in [row["piece"] for row in weighed.table("tables.army")]


def test_frames_and_pictures(result):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    frame = result.to_pandas("tables.army")
    assert isinstance(frame, pandas.DataFrame) and list(frame["piece"]) == [row["piece"] for row in result.table("tables.army")]
    table = result.to_arrow("tables.army")
    assert isinstance(table, pyarrow.Table) and table.column("piece").to_pylist() == list(frame["piece"])
    axes = result.plot("tables.army")
    assert axes.get_title() == "chess" and len(axes.get_yticklabels()) == len(result.table("tables.army"))
    with pytest.raises(assay.AssayError, match="expected a table with intervals"):
        result.plot("files")


def test_missing_packages_are_named(result, monkeypatch):
    for name in ["pandas", "pyarrow", "matplotlib.pyplot"]:
        monkeypatch.setitem(sys.modules, name, None)
    for method, package in [("to_pandas", "pandas"), ("to_arrow", "pyarrow"), ("plot", "matplotlib")]:
        with pytest.raises(ImportError, match=f"{package} is not installed: pip install {package}"):
            getattr(result, method)()


def test_errors_are_those_of_the_program(monkeypatch):
    with pytest.raises(assay.AssayError, match="^no game `draughts`; built-in games: chess"):
        assay.validate("draughts")
    with pytest.raises(assay.AssayError, match="unexpected argument '--nods'"):
        assay.validate("chess", nods=5)
    with pytest.raises(assay.AssayError, match="found .*, expected a built-in game or the path of a definition file"):
        assay.validate(assay.Game.with_piece("WD"))
    monkeypatch.delenv("ASSAY_PROGRAMS")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(assay.AssayError, match="assay-tuner is not found; expected it in the PATH"):
        assay.validate("chess")


def test_progress_is_reported():
    seen = []
    assay.validate("chess", progress=lambda done, total: seen.append((done, total)), **SMALL)
    assert (44, 44) in seen


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupted_games_are_kept():
    timer = threading.Timer(3, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        assay.validate("chess", games=1_000_000, nodes=20, threads=1, data="long.db")
    timer.join()
    assert 0 < len(assay.open("long.db")) < 1_000_000
