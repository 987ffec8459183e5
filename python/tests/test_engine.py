"""Search, and the `assay` program as an engine of python-chess."""

import pickle
import threading

import assay
import pytest
from conftest import program_path


def test_finds_mates_and_scores_for_the_side_to_move():
    engine = assay.Engine("chess")
    mate = engine.analyse(assay.Position("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), nodes=1_000)
    assert (mate.best, mate.score.mate, mate.score.turn) == ("a1a8", 1, "white")
    assert mate.score.black.mate == -1 and mate.score.black.expected == 0.0
    queen_up = engine.analyse(assay.Position("chess", "4k3/pppp4/8/8/8/8/PPPP4/3QK3 b - - 0 1"), depth=4)
    assert queen_up.score.centipawns < -300 and queen_up.score.turn == "black"
    assert queen_up.score.white.centipawns == -queen_up.score.centipawns
    over = engine.analyse(assay.Position("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), depth=3)
    assert over.best is None and over.lines == []


@pytest.mark.parametrize("name", assay.GAMES)
def test_searches_every_game_reproducibly(name):
    position = assay.Position(name)
    position.push(position.legal_moves()[:4][-1])

    def search():
        return assay.Engine(name, hash=1).analyse(position, nodes=3_000, lines=3)

    one, other = search(), search()
    assert one.best in position.legal_moves() and one.nodes <= 3_000
    assert len(one.lines) == min(3, len(position.legal_moves())) and one.lines[0].score == one.score
    assert [line.moves for line in one.lines] == [line.moves for line in other.lines]
    assert one.lines[0].moves[0] == one.best


def test_knows_the_moves_that_led_to_the_position():
    """The knight's return would be the third repetition."""
    position = assay.Position("chess")
    for move in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        position.push(move)
    analysis = assay.Engine("chess").analyse(position, depth=3, lines=30)
    scores = {line.moves[0]: (line.score.centipawns, len(line.moves)) for line in analysis.lines}
    assert len(scores) == len(position.legal_moves())
    assert scores["f6g8"] == (0, 1)


def test_refuses_bad_arguments():
    engine = assay.Engine("chess")
    start = assay.Position("chess")
    with pytest.raises(assay.AssayError, match="found no limit, expected nodes, depth or movetime"):
        engine.analyse(start)
    with pytest.raises(assay.AssayError, match="found one of gamma2, expected chess"):
        engine.analyse(assay.Position("gamma2"), nodes=10)
    with pytest.raises(assay.AssayError, match="movetime: found -1"):
        engine.analyse(start, movetime=-1)
    with pytest.raises(assay.AssayError, match="evaluation: found `best`"):
        assay.Engine("chess", evaluation="best")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hash": 0}, "hash: found 0, expected a whole number from 1 to 65536"),
        ({"threads": 1_000}, "threads: found 1000, expected a whole number from 1 to 256"),
    ],
)
def test_settings_have_ranges(options, message):
    with pytest.raises(assay.AssayError, match=message):
        assay.Engine("chess", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 0}, "nodes: found 0"),
        ({"nodes": 2**64}, "nodes: found 18446744073709551616, expected a whole number from 1 to 18446744073709551615"),
        ({"depth": -1}, "depth: found -1"),
        ({"nodes": 10, "lines": 2**63}, "lines: found 9223372036854775808, expected a whole number from 1 to 256"),
    ],
)
def test_limits_have_ranges(options, message):
    with pytest.raises(assay.AssayError, match=message):
        assay.Engine("chess").analyse(assay.Position("chess"), **options)


def test_an_engine_runs_one_search_at_a_time():
    """Other calls fail at once: in another thread, and below `progress`. The position can be changed meanwhile."""
    engine, position = assay.Engine("chess"), assay.Position("chess")
    started, stop = threading.Event(), threading.Event()

    def progress(done, total):
        with pytest.raises(assay.AssayError, match="the engine is searching; use another Engine"):
            engine.analyse(position, nodes=10)
        started.set()
        if stop.is_set():
            raise RuntimeError("enough")

    def search():
        with pytest.raises(RuntimeError, match="enough"):
            engine.analyse(position, depth=90, progress=progress)

    thread = threading.Thread(target=search)
    thread.start()
    assert started.wait(60)
    for call in [engine.clear, lambda: engine.analyse(position, nodes=10)]:
        with pytest.raises(assay.AssayError, match="the engine is searching"):
            call()
    position.push("e4")
    stop.set()
    thread.join()
    engine.clear()
    assert engine.analyse(position, nodes=100).score.turn == "black"


def test_results_are_pickled():
    found = assay.Engine("chess").analyse(assay.Position("chess"), nodes=1_000, lines=2)
    copied = pickle.loads(pickle.dumps(found))
    assert repr(copied) == repr(found) and copied.score == found.score
    assert [line.moves for line in copied.lines] == [line.moves for line in found.lines]


def test_limits_time():
    analysis = assay.Engine("chess").analyse(assay.Position("chess"), movetime=0.2)
    assert 0.05 < analysis.time < 2.0 and analysis.nodes > 0


def test_plays_in_python_chess():
    chess = pytest.importorskip("chess")
    engines = pytest.importorskip("chess.engine")
    with engines.SimpleEngine.popen_uci(str(program_path("assay"))) as engine:
        engine.configure({"Hash": 4})
        board = chess.Board()
        ours = assay.Position("chess")
        limit = engines.Limit(nodes=2_000)
        while not board.is_game_over() and board.ply() < 20:
            move = engine.play(board, limit).move
            board.push(move)
            ours.push(move.uci())
            assert ours.fen == board.fen(en_passant="legal")
            assert sorted(ours.legal_moves()) == sorted(move.uci() for move in board.legal_moves)
        info = engine.analyse(board, limit, multipv=2)
        assert len(info) == 2 and info[0]["pv"]
        mate = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), limit)
        assert mate["score"].white().mate() == 1
