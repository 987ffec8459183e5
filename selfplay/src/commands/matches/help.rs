//! What `match --help` prints.

pub(super) const HELP: &str = "\
Plays a match between two engines, judged by Assay's rules, and says how much better the first one is

Usage: assay-selfplay match GAME -engine KEY=VALUE... -engine KEY=VALUE... [FLAGS]
       assay-selfplay match -resume -db FILE [-rounds N] [-concurrency N]

GAME is a built-in game (chess, berolina, gamma2, gunnery, scorpion, apothecary2) or the path of a definition file; with
-trust the name of a game that only the engines know. Flags are fastchess's where it has them; two dashes do as well.

Engines
  -engine KEY=VALUE...   one engine; give two. The results are the first one's
      builtin            Assay's own engine in this process (also: assay)
      cmd=PROGRAM        a program that speaks UCI; args=\"...\", dir=FOLDER
      name=NAME          what the match calls it
      tc=[N/]TIME[+INC]  a clock: moves/time+increment, in seconds (40/60, 10+0.1) or minutes (2:30+1)
      st=SECONDS  nodes=N  depth=N    limits of each move; all that are given hold together
      timemargin=MS      how much too late an answer may be [20]: it pays for our own delays, and is never added to a clock
      option.NAME=VALUE  an option (Hash, Threads, ...), checked against what the engine offers.
                         option.VariantPath=FILE defines the game for an engine that does not know it
      variant=NAME       what the engine calls the game, if not as Assay does
      dialect=fairy      how it writes positions [known by its name]: assay, fairy
  -each KEY=VALUE...     the same for both, where they do not say otherwise

Games
  -rounds N              openings to play. Each is played twice, with the sides exchanged (-repeat, which is the default;
                         -norepeat or -games 1 plays each once)
  -concurrency N         games played at a time [1]
  -openings KEY=VALUE... random quiet moves from a start, made for each round from the seed:
                         plies=8 balance=150 (centipawns between the sides as Assay sees it, or off) setup=random
                         or a file: file=FILE format=epd|pgn order=sequential|random start=1 plies=N
                         or none: always the game's start
  -seed N                what all random choices follow from [1]
  -resign movecount=3 score=CP [twosided=true]   -draw movenumber=N movecount=N score=CP   -maxmoves N
                         end games early; all are off unless given: the rules decide
  -stall SECONDS         silence of an engine without clock that counts as hanging [60]; behind a clock's end it is 10 s at most
  -maxfaults N           crashes or stalls of one engine in a row that end the match [6]; until then it is started again
  -trust                 play a game that Assay does not know: the engines are believed. A game ends when an engine says
                         that it has no move (lost if the scores say mate), when moves go round and round, or after 300
                         moves. Illegal moves are not seen, and results worth something else than 1, 0.5, 0 are not known

Test
  -sprt elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=normalized|logistic|bayesian]
                         stop as soon as the games decide between \"elo0 better\" (H0) and \"elo1 better\" (H1). Pairs are
                         counted in the order of their numbers, so the verdict does not depend on -concurrency
  -exit-verdict          exit status 0 when H1 was accepted, 1 when H0 was, 3 when neither

Files and output
  -db FILE               keep the games in FILE (SQLite): each is on the disk before it is counted; kill -9 loses only
                         games in flight. Without it they are kept in memory
  -resume                continue the match in FILE; with nothing else, with the command that began it
  -pgnout file=FILE  -html FILE   write all games, or a report, at the end (-force overwrites)
  -event NAME            the PGN tag [Assay match]
  --json                 print the results as JSON

Examples
  assay-selfplay match gamma2 -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 option.Hash=16 \\
      -sprt elo0=0 elo1=5 -concurrency 4 -db test.db
      is the new engine better? Stops by itself; Ctrl-C and `match -resume -db test.db` at any time
  assay-selfplay match chess -engine builtin name=deep nodes=4000 -engine builtin name=shallow nodes=2000 -rounds 200
      the same games whatever the machine: fixed nodes and a seed
  assay-selfplay match gamma2 -engine builtin -engine cmd=fairy-stockfish option.VariantPath=gamma2.ini \\
      -each tc=10+0.1 -rounds 200 -db fsf.db -pgnout file=fsf.pgn -html fsf.html
  assay-selfplay match shogi -trust -engine cmd=./a variant=shogi -engine cmd=./b -each st=1 -rounds 50

Exit status: 0 when the match is over, 1 when it was stopped or given up, 2 when something was wrong with the request; see
-exit-verdict for tests. Afterwards: `assay-selfplay info FILE`, `assay-selfplay export FILE --pgn -`,
`assay-selfplay sprt --counts ...`.
";
