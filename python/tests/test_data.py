"""Self-play and run files as tables: everything equals what the command line prints and SQLite holds."""

import json
import os
import pickle
import sqlite3

import assay
import pytest
from conftest import VALUE_RUN

polars = pytest.importorskip("polars")


def test_plays_the_games_of_the_command_line(value_run, run_program, tmp_path):
    path = tmp_path / "games.db"
    options = ["--games", VALUE_RUN["games"], "--nodes", VALUE_RUN["nodes"], "--seed", VALUE_RUN["seed"], "--material", "values"]
    printed = json.loads(run_program("assay-selfplay", "generate", "gamma2", "--data", path, *options, "--json"))
    info = value_run.info()
    assert len(value_run) == printed["done"] == info["games"]
    assert printed["results"] == info["results"]
    assert printed["mean_plies"] == info["plies"]["mean"]
    both = [sqlite3.connect(file).execute("SELECT * FROM games ORDER BY idx").fetchall() for file in (path, value_run.path)]
    assert both[0] == both[1]


def test_info_is_that_of_the_command_line(value_run, run_program):
    assert value_run.info() == json.loads(run_program("assay-selfplay", "info", value_run.path, "--json"))
    printed = run_program("assay-selfplay", "info", value_run.path, "--json", "--details", "--min-games", 2)
    assert value_run.info(details=True, min_games=2) == json.loads(printed)


def test_continues_and_extends_a_run(tmp_path):
    path = tmp_path / "games.db"
    seen = []
    options = {"nodes": 20, "seed": 3, "data": path}
    assert len(assay.selfplay("chess", games=4, **options, progress=lambda done, total: seen.append((done, total)))) == 4
    assert seen[-1] == (4, 4)
    run = assay.selfplay("chess", games=6, threads=1, **options)
    assert len(run) == len(assay.open(path)) == 6
    assert run.game == assay.Game("chess") and run.seed == 3
    with pytest.raises(assay.AssayError, match="seed"):
        assay.selfplay("chess", games=6, nodes=20, seed=4, data=path)


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


def test_a_replaced_file_is_noticed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = assay.selfplay("chess", games=2, nodes=5, data="games.db")
    assert run.path == tmp_path / "games.db"
    assert len(pickle.loads(pickle.dumps(run)).games()) == 2
    # The path is absolute, and more games are the same run.
    os.chdir("/")
    assay.selfplay("chess", games=4, nodes=5, data=run.path)
    assert len(run.games()) == 4
    for game, seed in [("chess", 2), ("apothecary2", 1)]:
        run.path.unlink()
        assay.selfplay(game, games=2, nodes=5, seed=seed, data=run.path)
        for read in [run.games, run.positions, run.info, lambda: run.missing(4)]:
            with pytest.raises(assay.AssayError, match="games.db: found another run than the one that was opened"):
                read()


def test_first_game_is_rounded_down_to_its_pair(tmp_path):
    run = assay.selfplay("chess", games=6, nodes=5, first_game=3, data=tmp_path / "games.db")
    assert run.missing(6) == [(0, 2)]


def test_info_reports_progress(value_run):
    seen = []
    value_run.info(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(value_run), len(value_run))


def test_tables_go_to_every_library(value_run):
    table = value_run.games()
    assert len(table) == table.to_polars().height == table.to_pyarrow().num_rows == len(table.to_pandas())
    assert table.columns == table.to_polars().columns == list(table.to_dict())
    assert "<table" in table._repr_html_()


def test_keeps_the_definition_of_a_users_game(root, tmp_path):
    game = assay.Game.from_file(root / "testdata/games/twin-knights.toml")
    run = assay.selfplay(game, games=2, nodes=10, data=tmp_path / "twin.db")
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
        ({"balance": "on"}, "balance: found 'on'"),
        ({"balance": -1}, "balance: found -1, expected centipawns up to 30000, or `off`"),
        ({"nodes": 0}, "nodes: found 0"),
        ({"games": 2**63}, "games: found 9223372036854775808, expected a whole number from 1 to 1099511627776"),
        ({"games": -1}, "games: found -1"),
        ({"seed": -1}, "seed: found -1"),
        ({"hash": 2**40}, "hash: found 1099511627776, expected a whole number from 1 to 65536"),
        ({"threads": 2**40}, "threads: found 1099511627776, expected a whole number from 0 to 1024"),
        ({"opening_plies": 1_000}, "opening_plies: found 1000, expected a whole number from 0 to 200"),
        ({"first_game": -1}, "first_game: found -1"),
        ({"setup": "7"}, "unknown start `7`"),
    ]:
        with pytest.raises(assay.AssayError, match=text):
            assay.selfplay("chess", **{"games": 2, "data": tmp_path / "bad.db", **options})
    assert not (tmp_path / "bad.db").exists()


def test_errors_name_arguments_instead_of_options(tmp_path):
    text = "expected another number of plies or a wider balance"
    with pytest.raises(assay.AssayError, match=text):
        assay.selfplay("chess", games=2, opening_plies=0, balance=0, data=tmp_path / "games.db")
    with pytest.raises(assay.AssayError, match="setup: unknown start `zz`"):
        assay.selfplay("chess", games=2, setup="zz", data=tmp_path / "games.db")


def test_files_that_cannot_be_created(value_run):
    for out, text in [("", "data: found ``, expected the path of a file"), ("/proc/games.db", "/proc/games.db: the file cannot be created")]:
        with pytest.raises(assay.AssayError, match=text):
            assay.selfplay("chess", games=2, nodes=5, data=out)
    with pytest.raises(assay.AssayError, match="out: found ``"):
        assay.merge("", [value_run.path])


def test_a_missing_shard_can_be_left_out(tmp_path):
    shard = assay.selfplay("chess", games=4, nodes=5, shard="1/2", data=tmp_path / "shard.db")
    with pytest.raises(assay.AssayError, match="found no shard 2/2, expected all 2 shards"):
        assay.merge(tmp_path / "games.db", [shard.path])
    assert len(assay.merge(tmp_path / "games.db", [shard.path], partial=True)) == 2
