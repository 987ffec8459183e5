//! Board, pieces and the keys that every definition must have.

use assay_rules::betza;
use assay_rules::def::PieceClass;
use assay_rules::def::keys::{BoardKeys, EndingKeys, GameKeys, PawnKeys, PieceKeys};
use rand::RngExt;

use crate::movement::random_movement;
use crate::random::{Rng, number, pick, points};

/// What mechanisms and arrays need to know of the board and the pieces.
pub(super) struct Context {
    pub(super) files: u8,
    pub(super) ranks: u8,
    pub(super) first_rank: u8,
    /// Index of the rank on which White's pawns begin.
    pub(super) home: u8,
    /// Index of the file on which the kings begin.
    pub(super) king_file: u8,
    /// Black's army is White's rotated by 180 degrees, not mirrored.
    pub(super) rotated: bool,
    /// Letters of the kinds other than king (`K`), pawn (`P`) and joker (`J`).
    pub(super) letters: Vec<char>,
}

impl Context {
    pub(super) fn random(rng: &mut Rng) -> Context {
        let (files, ranks) = random_size(rng);
        Context {
            files,
            ranks,
            first_rank: u8::from(rng.random_bool(0.85)),
            home: if rng.random_bool(0.8) { 1 } else { rng.random_range(1..=ranks / 2 - 1) },
            king_file: if rng.random_bool(0.7) { files / 2 } else { rng.random_range(0..files) },
            rotated: rng.random_bool(0.15),
            letters: ['R', 'N', 'B', 'Q', 'S', 'T'].into_iter().take(rng.random_range(1..=6)).collect(),
        }
    }

    /// Number of the last rank.
    pub(super) fn last_rank(&self) -> u8 {
        self.first_rank + self.ranks - 1
    }

    /// Name of the square with these indices of file and rank, from 0.
    pub(super) fn square(&self, file: u8, rank: u8) -> String {
        format!("{}{}", char::from(b'a' + file), self.first_rank + rank)
    }

    /// Indices of a square.
    pub(super) fn random_square(&self, rng: &mut Rng) -> (u8, u8) {
        (rng.random_range(0..self.files), rng.random_range(0..self.ranks))
    }

    /// Names of one to three squares and of their mirror squares.
    pub(super) fn mirrored_squares(&self, rng: &mut Rng) -> Option<String> {
        let mut names = Vec::new();
        for _ in 0..rng.random_range(1..=3) {
            let (file, rank) = self.random_square(rng);
            names.extend([rank, self.ranks - 1 - rank].map(|rank| self.square(file, rank)));
        }
        Some(names.join(" "))
    }

    /// Some of the letters, at least one.
    pub(super) fn some_letters(&self, rng: &mut Rng) -> String {
        let some: String = self.letters.iter().filter(|_| rng.random_bool(0.7)).collect();
        if some.is_empty() { self.letters.iter().collect() } else { some }
    }
}

/// Numbers of files and ranks.
fn random_size(rng: &mut Rng) -> (u8, u8) {
    match rng.random_range(0..10) {
        0..4 => (8, 8),
        4 => (rng.random_range(10..=16), 8),
        5 | 6 => (rng.random_range(3..=9), rng.random_range(4..=6)),
        _ => {
            let files = rng.random_range(5..=12);
            (files, rng.random_range(6..=(120 / files).min(11)))
        }
    }
}

/// A game with a king, without special rules, promotion and starts.
pub(super) fn plain_game(rng: &mut Rng, context: &Context) -> GameKeys {
    let &Context { files, ranks, first_rank, home, .. } = context;
    let (files, ranks, first_rank, home_rank) = (Some(files), Some(ranks), Some(first_rank), Some(first_rank + home));
    let mut keys = GameKeys {
        board: Some(BoardKeys { files, ranks, first_rank, ..BoardKeys::default() }),
        pawns: Some(PawnKeys { home_rank, ..PawnKeys::default() }),
        endings: Some(EndingKeys {
            stalemate: points(rng, &[0, 1, 2, 2, 3, 4]),
            move_rule: number(rng, 1..=59),
            repetitions: number(rng, 2..=4),
            insufficient_material: Some(Vec::new()),
            ..EndingKeys::default()
        }),
        ..GameKeys::default()
    };
    let king = match rng.random_range(0..10) {
        0 => format!("K{}", random_movement(rng, &["m", "c", "n"])),
        1 => "KmA".to_owned(),
        _ => "K".to_owned(),
    };
    add_piece(&mut keys, "K", Some(king), Some(PieceClass::King));
    add_piece(&mut keys, "P", Some(random_pawn(rng)), Some(PieceClass::Pawn));
    for letter in &context.letters {
        let class = pick(rng, &[None, Some(PieceClass::Minor), Some(PieceClass::Average), Some(PieceClass::Major)]);
        add_piece(&mut keys, &letter.to_string(), Some(random_piece(rng)), class);
    }
    keys
}

/// Adds a piece. Its letter may have a `+` before it.
pub(super) fn add_piece(keys: &mut GameKeys, letter: &str, movement: Option<String>, class: Option<PieceClass>) {
    let piece = PieceKeys { letter: Some(letter.to_owned()), movement, class, ..PieceKeys::default() };
    keys.pieces.insert(format!("piece-{letter}").to_lowercase(), piece);
}

/// Name of the table of a piece.
pub(super) fn piece_name(letter: char) -> String {
    format!("piece-{}", letter.to_ascii_lowercase())
}

/// Movement of a random piece that is neither king nor pawn.
pub(super) fn random_piece(rng: &mut Rng) -> String {
    if rng.random_bool(0.4) {
        let known = [
            "R", "B", "N", "Q", "RN", "BN", "KmRcpR", "mRcpR", "nN", "NN", "FAmH", "gQ", "FyafsF", "zB", "qN0", "nNN",
            "pafsW", "masWcgR",
        ];
        return pick(rng, &known).to_owned();
    }
    loop {
        let text = random_movement(rng, &["m", "c", "n", "p", "mn", "cn", "mp", "cp", "im", "imn"]);
        // Initial moves are leaps; one in seven texts has others.
        if betza::parse(&text).is_ok_and(|movement| !movement.paths.iter().any(|path| path.initial && path.rides())) {
            return text;
        }
    }
}

pub(super) fn random_pawn(rng: &mut Rng) -> String {
    let steps = ["fmWfc{e}F", "mfFcf{e}W", "fmWfcF", "fK", "fmWfc{e}FfcW", "fmWfcD", "fmWfc{e}N"];
    let step = pick(rng, &steps).replace("{e}", if rng.random_bool(0.85) { "e" } else { "" });
    let doubles =
        ["", "ifmnD", "ifmnD", "ifmnD", "imfnA", "ifmD", "ifmW2", "ifmnH", "fmnD", "fmnD", "fmnD", "mfnA", "ifmnDmfnA"];
    let double = pick(rng, &doubles);
    let extras =
        ["", "", "", "", "msW", "mfsN", "sW", "mlW", "smD", "fmpD", "cfA", "cnfD", "fcpA", "imsW", "csW", "mrWmlD"];
    format!("{step}{double}{}", pick(rng, &extras))
}
