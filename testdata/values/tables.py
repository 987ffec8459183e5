"""Prints the tables of README.md that are about all games, from the measurements in this folder."""

import json

GAMES = {
    "chess": "chess",
    "berolina": "Berolina Chess",
    "gamma2": "Gamma2 Chess",
    "gunnery": "Gunnery Chess",
    "scorpion": "Scorpion Chess",
    "apothecary2": "Apothecary Chess 2",
}
REPORTS = {game: json.load(open(f"{game}.json")) for game in GAMES}


def models() -> None:
    """Log-loss on held-out games by model of the phase."""
    print("| game | this model | constant | largest spread of a value over all models |\n|---|--:|--:|--:|")
    for game, title in GAMES.items():
        report = REPORTS[game]
        losses = {model["model"]: model for model in report["alternatives"]}
        values = {}
        for model in report["alternatives"]:
            for piece, value in model["values"].items():
                values.setdefault(piece, []).append(value)
        spread = {piece: max(found) - min(found) for piece, found in values.items()}
        piece = max(spread, key=spread.get)
        own = report["cross_validation"]["fitted"]
        print(
            f"| {title} | {own:.4f} | {losses['constant']['log_loss']:.4f} |"
            f" {piece} {spread[piece]:.2f} |"
        )


def given() -> None:
    """p-values of the tests that given and won material are worth the same."""
    print("| game | full board | few pieces | both |\n|---|--:|--:|--:|")
    for game, title in GAMES.items():
        test = REPORTS[game]["given_material"]
        stages = [stage["p"] for stage in test.get("stages", [])]
        numbers = [*stages, test["overall"]["p"]]
        print(f"| {title} | " + " | ".join(f"{number:.3f}" for number in numbers) + " |")


def agreement() -> None:
    """How many pieces both methods agree on."""
    counts: dict[str, int] = {}
    for report in REPORTS.values():
        for value in report["agreement"]["values"]:
            counts[value["verdict"]] = counts.get(value["verdict"], 0) + 1
    print("both methods:", ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    for game in GAMES:
        fit = REPORTS[game]["playtest"]["goodness_of_fit"]
        if fit and fit["p"] < 0.05:
            print(f"goodness of fit of the playtest: {game}, p = {fit['p']:.3f}")


def others() -> None:
    """Values by Assay and by Fairy-Stockfish, in shares of the army."""
    print("| piece | Assay | Fairy-Stockfish |\n|---|--:|--:|")
    for game in ("chess", "berolina", "gamma2"):
        reports = (REPORTS[game], json.load(open(f"{game}-fairy-stockfish.json")))
        armies = [next(table for table in report["tables"] if table["unit"] == "army") for report in reports]
        rows = [{value["piece"]: measured(value["measured"]) for value in army["values"]} for army in armies]
        for piece, found in rows[0].items():
            print(f"| {GAMES[game]}, {piece} | {found} | {rows[1][piece]} |")


def measured(number: dict) -> str:
    low, high = number["interval"]
    return f"{number['value']:.2f} ± {(high - low) / 2:.2f}"


for table in (models, given, agreement, others):
    table()
    print()
