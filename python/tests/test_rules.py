"""Rules: games, positions, perft, and errors with the texts of the command line."""

import copy
import pickle
from xml.etree import ElementTree

import assay
import pytest

tomllib = pytest.importorskip("tomllib")


def test_plays_and_takes_back():
    position = assay.Position("chess")
    start = position.copy()
    for move in ["e4", "e7e5", "Nf3"]:
        position.push(move)
    assert position.moves == ["e2e4", "e7e5", "g1f3"]
    assert position.turn == "black" and position.fullmove_number == 2
    assert position.san("b8c6") == "Nc6" and position.uci("Nc6") == "b8c6"
    assert [position.pop() for _ in range(3)] == ["g1f3", "e7e5", "e2e4"]
    assert position == start and position.hash == start.hash
    with pytest.raises(IndexError):
        position.pop()


def test_knows_how_games_end():
    mate = assay.Position("chess")
    for move in ["f3", "e5", "g4", "Qh4#"]:
        assert mate.outcome() is None
        mate.push(move)
    assert mate.is_check and mate.legal_moves() == []
    assert (mate.outcome().reason, mate.outcome().white) == ("checkmate", 0.0)
    shuffled = assay.Position("chess")
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        shuffled.push(move)
    assert shuffled.occurrences == 3
    assert shuffled.outcome().reason == "repetition"


def test_moves_in_both_notations():
    for name in assay.GAMES:
        position = assay.Position(name)
        moves, sans = position.legal_moves(), position.legal_sans()
        assert [position.uci(san) for san in sans] == moves
        assert [position.san(move) for move in moves] == sans
        assert position.perft(1) == len(moves) == sum(position.divide(1).values())


def test_perft_of_both_generators(root):
    """The first two depths of each position of the suites."""
    for name in assay.GAMES:
        suite = root / f"perft/suites/{name}.epd"
        for line in suite.read_text().splitlines()[:40] if suite.exists() else []:
            fen, *fields = [field.strip() for field in line.split(";")]
            if line.startswith("#") or not fen:
                continue
            position = assay.Position(name, fen)
            counts = dict(field.split() for field in fields if field.startswith("D"))
            for depth in ["D1", "D2"]:
                if depth in counts:
                    expected = int(counts[depth])
                    assert position.perft(int(depth[1])) == expected, fen
                    assert position.perft(int(depth[1]), generator="rules") == expected, fen


def test_perft_options():
    position = assay.Position("berolina")
    counts = position.divide(4, threads=2, hash=16)
    assert list(counts) == position.legal_moves()
    assert sum(counts.values()) == position.perft(4)
    seen = []
    position.perft(4, progress=lambda done, total: seen.append((done, total)))
    assert seen and seen[-1][0] == seen[-1][1]


def test_equal_positions_have_equal_hashes():
    one, other = assay.Position("chess"), assay.Position("chess")
    for move in ["Nf3", "Nf6", "Nc3"]:
        one.push(move)
    for move in ["Nc3", "Nf6", "Nf3"]:
        other.push(move)
    assert one == other and one.hash == other.hash
    assert one.hash != assay.Position("chess").hash


def test_reads_definitions(root):
    path = root / "testdata/games/twin-knights.toml"
    game = assay.Game.from_file(path)
    assert game == assay.Game(str(path)) == assay.Game.from_toml(game.definition_text)
    assert game != assay.Game("chess") and assay.Game("chess").definition_text is None
    weighed = assay.Game.with_piece("WD")
    assert "X" in {piece["letter"] for piece in weighed.pieces}
    assert assay.Position("apothecary2", setup="14+pawn:e4").fen == assay.Game("apothecary2").position(
        setup="14+pawn:e4"
    ).fen


def test_draws_boards():
    for name in assay.GAMES:
        position = assay.Position(name)
        svg = ElementTree.fromstring(position._repr_svg_())
        assert svg.tag == "{http://www.w3.org/2000/svg}svg"
        letters = [letter for letter in position.fen.split("[")[0].split(" ")[0] if letter.isalpha()]
        assert len(position.pieces) == len(letters)


def test_warns_of_ignored_rights():
    with pytest.warns(UserWarning, match="right `K` ignored"):
        assay.Position("chess", "4k3/8/8/8/8/8/8/4K3 w K - 0 1")


def cases(root, name):
    return tomllib.loads((root / "testdata/bad" / name).read_text())["case"]


def test_bad_fens_are_reported_as_by_the_command_line(root, run_program):
    checked = 0
    for case in cases(root, "perft-fen.toml"):
        match case["args"]:
            case ["show", game, "--fen", fen]:
                with pytest.raises(assay.AssayError) as raised:
                    assay.Position(game, fen)
                for text in case["stderr"]:
                    # Python has an argument where the command line has an option.
                    assert text.removeprefix("--") in str(raised.value)
                checked += 1
    assert checked > 20
    printed = run_program("assay-perft", "show", "chess", "--fen", "8/8 w - - 0 1", status=2)
    with pytest.raises(assay.AssayError) as raised:
        assay.Position("chess", "8/8 w - - 0 1")
    assert printed == f"error: --{raised.value}\n"


def test_bad_definitions_are_reported_as_by_the_command_line(root, run_program):
    for path in sorted((root / "testdata/bad/games").glob("*.toml")):
        printed = run_program("assay-perft", "show", path, status=2)
        for load in [assay.Game, assay.Game.from_file]:
            with pytest.raises(assay.AssayError) as raised:
                load(str(path))
            assert printed == f"error: {raised.value}\n"


def test_bad_names_and_moves_are_reported_as_by_the_command_line(run_program):
    for name in ["gama2", "no/such.toml"]:
        with pytest.raises(assay.AssayError) as raised:
            assay.Game(name)
        assert run_program("assay-perft", "show", name, status=2) == f"error: {raised.value}\n"
    position = assay.Position("chess")
    for move in ["e2e5", "Nf6", "e9", ""]:
        printed = run_program("assay-perft", "show", "chess", "--moves", move, status=2)
        with pytest.raises(assay.AssayError) as raised:
            position.push(move)
        assert printed == f"error: --moves, move 1: {raised.value}\n"
    for options in [{"generator": "fast"}, {"generator": "rules", "hash": 1}]:
        with pytest.raises(assay.AssayError, match="expected"):
            position.perft(2, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth: found 0, expected a whole number from 1 to 64"),
        ({"depth": -1}, "depth: found -1, expected"),
        ({"depth": 1_000}, "depth: found 1000, expected"),
        ({"depth": 10**50}, "depth: found 10{50}, expected"),
        ({"threads": 10**6}, "threads: found 1000000, expected a whole number from 0 to 1024"),
        ({"hash": 2**40}, "hash: found 1099511627776, expected a whole number from 0 to 1048576"),
    ],
)
def test_numbers_have_the_ranges_of_the_command_line(options, message):
    for count in [assay.Position("chess").perft, assay.Position("chess").divide]:
        with pytest.raises(assay.AssayError, match=message):
            count(**{"depth": 2, **options})
    with pytest.raises(assay.AssayError, match="size: found -5"):
        assay.Position("chess").svg(size=-5)


def test_arguments_of_a_wrong_type():
    with pytest.raises(TypeError, match="depth: found '3', expected a whole number from 1 to 64"):
        assay.Position("chess").perft("3")
    for create in [assay.Position, assay.Engine, assay.Game]:
        with pytest.raises(TypeError, match="game: found None, expected a Game, its name or a path"):
            create(None)
    with pytest.raises(assay.AssayError, match="^piece:"):
        assay.Game.with_piece("WDQ(")


def test_takes_paths(root):
    path = root / "testdata/games/twin-knights.toml"
    assert assay.Position(path).game == assay.Game(path) == assay.Game(str(path))


def test_copies():
    position = assay.Position("gamma2", setup=assay.Game("gamma2").setups[0])
    for move in position.legal_moves()[:1]:
        position.push(move)
    outcome = assay.Position("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome()
    assert pickle.loads(pickle.dumps(outcome)) == copy.copy(outcome) == outcome
    for copied in [copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))]:
        assert copied == position and copied.game == position.game
        assert copied.moves == position.moves
        copied.pop()
        assert copied.moves != position.moves


def test_a_position_can_be_changed_while_it_is_counted():
    position = assay.Position("chess")
    count = position.perft(5, progress=lambda done, total: position.moves or position.push("e4"))
    assert (count, position.moves) == (4_865_609, ["e2e4"])
