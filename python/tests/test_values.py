"""Piece values: every figure equals that of `assay-tuner fit --json`."""

import json
import pickle
import subprocess
import sys

import assay
import pytest

OPTIONS = {"resamples": 100, "phase_model": "constant"}


@pytest.fixture(scope="module")
def measurement(value_run):
    return assay.fit(value_run, **OPTIONS)


def in_units(report):
    """The values of a report with their units, then its bonuses."""
    values = [(table["unit"], value) for table in report["tables"] if table["unit"] for value in table["values"]]
    return values + [("pawns", bonus) for bonus in report["bonuses"]]


def test_figures_are_those_of_the_command_line(measurement, value_run, run_program):
    flags = ["--resamples", 100, "--phase-model", "constant", "--json"]
    printed = run_program("assay-tuner", "fit", value_run.path, *flags)
    report, here = json.loads(printed), measurement.to_dict()
    assert json.loads(measurement.json()) == here
    # Only the program has a command.
    assert report.pop("command").startswith("assay-tuner fit ") and here.pop("command") is None
    assert here == report
    for row, (unit, value) in zip(measurement.values.to_pyarrow().to_pylist(), in_units(report), strict=True):
        assert row["unit"] == unit
        for key in ["piece", "with_half_pair", "published", "verdict"]:
            assert row[key] == value[key]
        assert row["measured"] == value["measured"]["value"]
        assert [row["low"], row["high"]] == (value["measured"]["interval"] or [None, None])
    coefficients = measurement.coefficients.to_dict()
    fit = report["fit"]
    assert coefficients["column"] == fit["columns"]
    assert coefficients["coefficient"] == fit["coefficients"]
    assert coefficients["standard_error"] == fit["standard_errors"]
    covariance = measurement.covariance.to_dict()
    assert covariance.pop("column") == fit["columns"]
    assert list(covariance) == fit["columns"]
    assert [list(row) for row in zip(*covariance.values(), strict=True)] == fit["covariance"]


def test_a_fit_is_repeated_without_the_programs_code(value_run, run_program, root, tmp_path):
    csv, report = tmp_path / "positions.csv", tmp_path / "fit.json"
    report.write_text(
        run_program("assay-tuner", "fit", value_run.path, "--phase-model", "constant", "--csv", csv, "--json")
    )
    script = root / "testdata/values/recompute.py"
    done = subprocess.run([sys.executable, script, csv, report], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "largest difference of army shares" in done.stdout
    # A wrong coefficient is found, and so is a value that is corrected for another belief of the players.
    for place, change in [(["coefficients"], 0), (["feedback", "own", "rook"], "value")]:
        changed = json.loads(report.read_text())
        part = changed["fit"]
        for key in place:
            part = part[key]
        part[change] += 0.01
        other = tmp_path / "changed.json"
        other.write_text(json.dumps(changed))
        assert subprocess.run([sys.executable, script, csv, other], capture_output=True, check=False).returncode == 1


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib is new in Python 3.11")
def test_phase_weights(root):
    """The table of testdata/values/README.md."""
    script = root / "testdata/values/phase_weights.py"
    arguments = [root / "testdata/values/chess.json", root / "rules/variants/chess.references.toml"]
    done = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    values = {(row[0], row[1]): (float(row[2]), 2 * float(row[4])) for row in rows}
    weights = ["0.00", "0.50", "0.65", "0.80", "1.00"]
    readme = (root / "testdata/values/README.md").read_text()
    for piece in ["queen", "rook", "knight", "pawn"]:
        cells = " | ".join("{:.2f} ± {:.2f}".format(*values[weight, piece]) for weight in weights)
        assert f"| {piece} | {cells} |" in readme


def test_phase_values(measurement, value_run):
    detailed = assay.fit([value_run.path], resamples=0, phase_model="piecewise")
    rows = detailed.values.to_pyarrow().to_pylist()
    for row, (_, value) in zip(rows, in_units(detailed.to_dict()), strict=True):
        for phase in ["full_board", "few_pieces"]:
            estimate = value[phase] or {"value": None, "interval": [None, None]}
            assert row[phase] == estimate["value"]
            assert row[f"{phase}_low"] == (estimate["interval"] or [None])[0]
    bonuses = [row for row in measurement.values.to_pyarrow().to_pylist() if row["piece"].startswith("second")]
    assert bonuses and all(row["full_board"] is None for row in bonuses)


def test_reports(measurement, tmp_path):
    path = tmp_path / "gamma2.json"
    path.write_text(measurement.json())
    report = assay.report(measurement)
    assert str(report) == str(assay.report(path)) == str(measurement)
    assert repr(report) == "<assay.Report gamma2: 300 games>"
    assert report._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    report.save(tmp_path / "gamma2.html")
    assert (tmp_path / "gamma2.html").read_text(encoding="utf-8") == measurement.html()
    with pytest.raises(TypeError, match="report: found 7"):
        assay.report(7)


def test_json_keeps_every_digit(measurement, root, tmp_path):
    path = tmp_path / "gamma2.json"
    path.write_text(measurement.json())
    assert assay.report(path).measurement.json() == measurement.json()
    assert pickle.loads(pickle.dumps(measurement)).json() == measurement.json()
    for path in (root / "testdata/values").glob("*.json"):
        figures = json.loads(path.read_text())["fit"]
        assert assay.report(path).measurement.to_dict()["fit"]["covariance"] == figures["covariance"]


def test_files_are_paths_and_runs(value_run):
    with pytest.raises(assay.AssayError, match="found all of the run of which .* holds all; expected every game once"):
        assay.fit([value_run, str(value_run.path), value_run.path])
    for files in [None, 7, [value_run, 7]]:
        with pytest.raises(TypeError, match="found (None|7), expected run files: paths or opened runs"):
            assay.fit(files)
    for resamples in [-1, 10**9, 2**63]:
        with pytest.raises(assay.AssayError, match=f"resamples: found {resamples}, expected a whole number from 0 to 100000"):
            assay.fit(value_run, resamples=resamples)


def test_errors_are_those_of_the_command_line(value_run, run_program, tmp_path):
    for files in [[value_run.path, value_run.path], [tmp_path / "missing.db"]]:
        with pytest.raises(assay.AssayError) as raised:
            assay.fit(files)
        assert run_program("assay-tuner", "fit", *files, status=2) == f"error: {raised.value}\n"
    with pytest.raises(assay.AssayError, match="phase_model: found `cubic`"):
        assay.fit(value_run, phase_model="cubic")
