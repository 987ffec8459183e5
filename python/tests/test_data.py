"""Self-play and run files as tables: everything equals what the command line prints and SQLite holds."""

import json
import sqlite3

import assay
import pytest
from conftest import VALUE_RUN

polars = pytest.importorskip("polars")


def test_plays_the_games_of_the_command_line(value_run, run_program, tmp_path):
    path = tmp_path / "games.db"
    options = ["--games", VALUE_RUN["games"], "--nodes", VALUE_RUN["nodes"], "--seed", VALUE_RUN["seed"], "--for", "values"]
    printed = json.loads(run_program("assay-selfplay", "generate", "gamma2", "--out", path, *options, "--json"))
    info = value_run.info()
    assert len(value_run) == printed["done"] == info["games"]
    assert printed["results"] == info["results"]
    assert printed["mean_plies"] == info["plies"]["mean"]
    both = [sqlite3.connect(file).execute("SELECT * FROM games ORDER BY idx").fetchall() for file in (path, value_run.path)]
    assert both[0] == both[1]


def test_info_is_that_of_the_command_line(value_run, run_program):
    assert value_run.info() == json.loads(run_program("assay-selfplay", "info", value_run.path, "--json"))


def test_continues_and_extends_a_run(tmp_path):
    path = tmp_path / "games.db"
    seen = []
    options = {"nodes": 20, "seed": 3, "out": path}
    assert len(assay.selfplay("chess", games=4, **options, progress=lambda done, total: seen.append((done, total)))) == 4
    assert seen[-1] == (4, 4)
    run = assay.selfplay("chess", games=6, threads=1, **options)
    assert len(run) == len(assay.open(path)) == 6
    assert run.game == assay.Game("chess") and run.seed == 3
    with pytest.raises(assay.AssayError, match="seed"):
        assay.selfplay("chess", games=6, nodes=20, seed=4, out=path)


def test_games_and_positions(value_run):
    games = polars.DataFrame(value_run.games())
    rows = sqlite3.connect(value_run.path).execute("SELECT idx, pair, white, start, plies, result FROM games ORDER BY idx")
    columns = ["game", "pair", "white", "start", "plies", "points"]
    assert games.select(columns).rows() == [(*row[:5], row[5] / 4) for row in rows]
    positions = polars.DataFrame(value_run.positions())
    assert len(positions) == games["plies"].sum() + len(games)
    assert positions.filter(polars.col("move").is_null()).height == len(games)
    # A game, replayed by the rules.
    game = games.row(7, named=True)
    rows = positions.filter(polars.col("game") == game["game"]).rows(named=True)
    replayed = value_run.game.position(game["start"])
    for row, move in zip(rows, [*game["moves"].split(), None], strict=True):
        assert (row["fen"], row["turn"], row["move"]) == (replayed.fen, replayed.turn, move)
        assert row["points"] == game["points"] and (row["eval"] is None or row["mate"] is None)
        if move:
            replayed.push_uci(move)
    assert replayed.outcome().reason == game["end"]


def test_tables_go_to_every_library(value_run):
    table = value_run.games()
    assert len(table) == table.to_polars().height == table.to_pyarrow().num_rows == len(table.to_pandas())
    assert table.columns == table.to_polars().columns == list(table.to_dict())
    assert "<table" in table._repr_html_()


def test_keeps_the_definition_of_a_users_game(root, tmp_path):
    game = assay.Game.from_file(root / "testdata/games/twin-knights.toml")
    run = assay.selfplay(game, games=2, nodes=10, out=tmp_path / "twin.db")
    assert assay.open(run.path).game == game
    assert len(run.positions()) == sum(run.games().to_dict()["plies"]) + 2


def test_errors_are_those_of_the_command_line(run_program, tmp_path):
    missing = tmp_path / "missing.db"
    with pytest.raises(assay.AssayError) as raised:
        assay.open(missing)
    assert run_program("assay-selfplay", "info", missing, status=2) == f"error: {raised.value}\n"
    for options, text in [
        ({"material": "all"}, "material: found `all`"),
        ({"jitter": "20,X+10"}, "jitter: found kind `X`, which chess does not have"),
        ({"balance": "on"}, "balance: found `on`"),
        ({"nodes": 0}, "nodes: found 0"),
        ({"setup": "7"}, "unknown start `7`"),
    ]:
        with pytest.raises(assay.AssayError, match=text):
            assay.selfplay("chess", games=2, out=tmp_path / "bad.db", **options)
    assert not (tmp_path / "bad.db").exists()
