//! Random definition files, biased toward games that can be played.

use std::sync::Arc;

use assay_rules::{Color, GameDef, Position, Setup};
use rand::{RngExt, SeedableRng};

use crate::movement::random_movement;
use crate::random::{Rng, pick};

/// The text of a valid definition file whose default start is a game in progress. The same seed
/// gives the same text.
pub fn definition(seed: u64) -> String {
    let mut rng = Rng::seed_from_u64(seed);
    loop {
        let draft = Draft::random(&mut rng, seed);
        if let Some(text) = draft.with_rights() {
            return text;
        }
    }
}

/// A definition whose starts do not have rights yet.
struct Draft {
    text: String,
    starts: Vec<String>,
}

impl Draft {
    fn random(rng: &mut Rng, seed: u64) -> Draft {
        if rng.random_bool(0.2) { changed_builtin(rng, seed) } else { NewGame::random(rng).draft(rng, seed) }
    }

    fn text(&self, fens: &[String]) -> String {
        let mut text = self.text.clone();
        for (index, fen) in fens.iter().enumerate() {
            let id = index + 1;
            text += &format!("\n[[starts]]\nid = \"{id}\"\ntitle = \"start {id}\"\nfen = \"{fen}\"\n");
        }
        text
    }

    /// Gives each start all rights that its pieces can have. `None` if the definition is invalid or
    /// the game is over at once.
    fn with_rights(&self) -> Option<String> {
        let without: Vec<String> = self.starts.iter().map(|fen| fen.replace(" RIGHTS ", " - ")).collect();
        let game = Arc::new(GameDef::from_toml(&self.text(&without), "random").ok()?);
        let letters: String = game.rights.iter().map(|right| right.letter).collect();
        let letters = if letters.is_empty() { "-" } else { &letters };
        let mut fens = Vec::new();
        for fen in &self.starts {
            let setup = Setup::from_fen(&game, &fen.replace(" RIGHTS ", &format!(" {letters} "))).ok()?;
            fens.push(Position::from_setup(&game, &setup).ok()?.0.fen());
        }
        let text = self.text(&fens);
        let game = Arc::new(GameDef::from_toml(&text, "random").ok()?);
        Position::start(&game).outcome().is_none().then_some(text)
    }
}

/// A built-in game with different movements for some pieces.
fn changed_builtin(rng: &mut Rng, seed: u64) -> Draft {
    let name = pick(rng, &["chess", "berolina", "gamma2", "gunnery", "scorpion", "apothecary2"]);
    let base = GameDef::builtin(name).expect("the game is built in");
    let mut text = format!(
        "name = \"random-{seed}\"\ntitle = \"Random game {seed}\"\nsource = \"made up for the tests\"\nbase = \"{name}\"\n"
    );
    for kind in base.all_kinds().filter(|&kind| Some(kind) != base.king && Some(kind) != base.joker) {
        if rng.random_bool(0.4) {
            let movement = if kind == base.pawn { random_pawn(rng) } else { random_piece(rng) };
            text += &format!("\n[pieces.{}]\nmove = \"{movement}\"\n", base.kind(kind).name);
        }
    }
    if rng.random_bool(0.3) {
        text += &format!("\n[pawns]\ncannon = {}\n", rng.random_bool(0.5));
    }
    let start = &base.starts[rng.random_range(0..base.starts.len())].fen;
    let fields: Vec<&str> = start.split(' ').collect();
    Draft { text, starts: vec![format!("{} w RIGHTS - 0 1", fields[0])] }
}

/// Movement of a random piece that is neither king nor pawn.
fn random_piece(rng: &mut Rng) -> String {
    if rng.random_bool(0.4) {
        return pick(
            rng,
            &[
                "R", "B", "N", "Q", "RN", "BN", "KmRcpR", "mRcpR", "nN", "NN", "FAmH", "gQ", "FyafsF", "zB", "qN0",
                "nNN", "pafsW", "masWcgR",
            ],
        )
        .to_owned();
    }
    random_movement(rng, &["m", "c", "n", "p", "mn", "cn", "mp", "cp", "im", "imn"])
}

fn random_pawn(rng: &mut Rng) -> String {
    let step =
        pick(rng, &["fmWfc{e}F", "mfFcf{e}W", "fmWfcF", "fK", "fWmsF", "fmWfc{e}Ffc{e}W", "fmWfcD", "fmWfc{e}N"]);
    let step = step.replace("{e}", if rng.random_bool(0.85) { "e" } else { "" });
    let double = pick(
        rng,
        &[
            "",
            "ifmnD",
            "ifmnD",
            "ifmnD",
            "imfnA",
            "ifmD",
            "ifmW2",
            "ifmnH",
            "fmnD",
            "fmnD",
            "fmnD",
            "mfnA",
            "ifmnDmfnA",
        ],
    );
    let extra = pick(
        rng,
        &["", "", "", "", "msW", "mfsN", "sW", "mlW", "smD", "fmpD", "cfA", "cnfD", "fcpA", "imsW", "csW", "mrWmlD"],
    );
    format!("{step}{double}{extra}")
}

/// A kind of a new game.
struct NewKind {
    letter: char,
    movement: String,
    class: Option<&'static str>,
    /// The only side that has it.
    side: Option<&'static str>,
}

/// A game without a base.
struct NewGame {
    files: usize,
    ranks: usize,
    first_rank: usize,
    /// File and rank indices in the bounding box, from 0.
    holes: Vec<(usize, usize)>,
    hanging: Vec<(usize, usize)>,
    /// King, pawn, then the others.
    kinds: Vec<NewKind>,
    /// Promoted kinds, by the letters of the kinds that promote to them.
    promoted: Vec<NewKind>,
    joker: bool,
    pocket: String,
    /// The table of drops, and pieces that White has in the pocket at the start; empty in games
    /// without drops.
    drops: String,
    hand: String,
    home: usize,
    explodes: bool,
    forbids_checks: bool,
    /// The table of walls; empty in games without them.
    walls: String,
}

impl NewGame {
    fn random(rng: &mut Rng) -> NewGame {
        let (files, ranks) = random_size(rng);
        let mut special = |chance: f64| {
            let mut squares = Vec::new();
            if rng.random_bool(chance) {
                for _ in 0..rng.random_range(1..=3) {
                    let (file, rank) = (rng.random_range(0..files), rng.random_range(0..ranks));
                    squares.extend([(file, rank), (file, ranks - 1 - rank)]);
                }
            }
            squares.sort_unstable();
            squares.dedup();
            squares
        };
        let holes = special(0.25);
        let mut hanging = special(0.35);
        hanging.retain(|square| !holes.contains(square));
        let king = random_king(rng);
        let explodes = rng.random_bool(0.15);
        let royalty = if explodes {
            pick(rng, &["royal", "minor"])
        } else {
            pick(rng, &["king", "king", "king", "king", "king", "king", "royal", "minor"])
        };
        let mut kinds = vec![
            NewKind { letter: 'K', movement: king, class: Some(royalty), side: None },
            NewKind { letter: 'P', movement: random_pawn(rng), class: Some("pawn"), side: None },
        ];
        for letter in ['R', 'N', 'B', 'Q', 'S', 'T'].into_iter().take(rng.random_range(1..=6)) {
            let class = pick(rng, &["", "", "", "minor", "minor", "average", "average", "major", "major", "royal"]);
            kinds.push(NewKind {
                letter,
                movement: random_piece(rng),
                class: (!class.is_empty()).then_some(class),
                side: None,
            });
        }
        let promoted = random_promoted(rng, &kinds);
        let joker = rng.random_bool(0.2);
        let gating = !explodes && rng.random_bool(0.35);
        let pocket = match (gating, joker) {
            (false, _) => String::new(),
            (true, true) if rng.random_bool(0.7) => "J".to_owned(),
            (true, _) => kinds[2..].iter().map(|kind| kind.letter).filter(|_| rng.random_bool(0.5)).collect(),
        };
        let has_drops = !explodes && pocket.is_empty() && rng.random_bool(0.4);
        let (mut drops, hand) = if has_drops { random_drops(rng, &kinds) } else { Default::default() };
        if has_drops && !promoted.is_empty() {
            drops = drops.replace("promoted-revert = false", "promoted-revert = true");
            drops += &format!("promoted = {}\n", rng.random_bool(0.6));
        }
        if !has_drops && rng.random_bool(0.15) {
            give_sides(rng, &mut kinds, &pocket);
        }
        let mut walls = String::new();
        if pocket.is_empty() && !has_drops && rng.random_bool(0.4) {
            hanging.clear();
            walls = random_walls(rng, &mut kinds, files * ranks <= 36, explodes);
        }
        NewGame {
            files,
            ranks,
            first_rank: usize::from(rng.random_bool(0.85)),
            holes,
            hanging,
            kinds,
            promoted,
            joker,
            pocket,
            drops,
            hand,
            home: random_home(rng, ranks),
            explodes,
            forbids_checks: rng.random_bool(0.1),
            walls,
        }
    }

    /// The table of explosions; empty in most games.
    fn explosions(&self, rng: &mut Rng) -> String {
        if !self.explodes {
            return String::new();
        }
        let classes = self.kinds[2..].iter().filter(|kind| kind.class != Some("royal"));
        let immune: String = classes.map(|kind| kind.letter).filter(|_| rng.random_bool(0.2)).collect();
        format!("\n[explosions]\nimmune = \"{immune}\"\n")
    }

    fn has_king(&self) -> bool {
        self.kinds[0].class == Some("king") && self.kinds[0].side.is_none()
    }

    /// Returns true if the side of a piece's letter can have it.
    fn may_own(&self, letter: char) -> bool {
        let kind = self.kinds.iter().find(|kind| kind.letter.eq_ignore_ascii_case(&letter));
        let side = if letter.is_ascii_uppercase() { "white" } else { "black" };
        kind.and_then(|kind| kind.side).is_none_or(|owner| owner == side)
    }

    fn letters(&self) -> String {
        self.kinds[2..].iter().map(|kind| kind.letter).collect()
    }

    /// Letters that pawns promote to: some of the pieces, at least one, and now and then the joker.
    fn promotions(&self, rng: &mut Rng) -> String {
        let joker = if self.joker && rng.random_bool(0.2) { "J" } else { "" };
        let king = if self.kinds[0].class != Some("king") && rng.random_bool(0.5) { "K" } else { "" };
        self.some_letters(rng) + joker + king
    }

    /// Some of the letters, at least one.
    fn some_letters(&self, rng: &mut Rng) -> String {
        let all = self.letters();
        let some: String = all.chars().filter(|_| rng.random_bool(0.7)).collect();
        if some.is_empty() { all } else { some }
    }

    fn draft(&self, rng: &mut Rng, seed: u64) -> Draft {
        let NewGame { files, ranks, first_rank, .. } = self;
        let names = |squares: &[(usize, usize)]| {
            let name =
                |&(file, rank): &(usize, usize)| format!("{}{}", char::from(b'a' + file as u8), rank + first_rank);
            squares.iter().map(name).collect::<Vec<String>>().join(" ")
        };
        let mut text = format!(
            "name = \"random-{seed}\"\ntitle = \"Random game {seed}\"\nsource = \"made up for the tests\"\nhandicaps = {}\n\
             forbids-checks = {}\nforces-captures = {}\nforbids-immobility = {}\nflying-general = {}\n\n[board]\nfiles = {files}\nranks = {ranks}\nfirst-rank = {first_rank}\nholes = \"{}\"\nhanging = \"{}\"\n",
            rng.random_bool(0.15),
            self.forbids_checks,
            rng.random_bool(0.15),
            rng.random_bool(0.15),
            self.has_king() && self.kinds.iter().all(|kind| kind.class != Some("royal")) && rng.random_bool(0.15),
            names(&self.holes),
            names(&self.hanging)
        );
        for NewKind { letter, movement, class, side } in &self.kinds {
            text += &format!(
                "\n[pieces.kind-{}]\nletter = \"{letter}\"\nmove = \"{movement}\"\n",
                letter.to_ascii_lowercase()
            );
            if let Some(class) = class {
                text += &format!("class = \"{class}\"\n");
            }
            if rng.random_bool(0.06) && !movement.contains('O') {
                text += &self.zone(rng);
            }
            if let Some(side) = side {
                text += &format!("side = \"{side}\"\n");
            }
        }
        for NewKind { letter, movement, .. } in &self.promoted {
            let name = letter.to_ascii_lowercase();
            text += &format!("\n[pieces.promoted-{name}]\nletter = \"+{letter}\"\nmove = \"{movement}\"\n");
        }
        if self.joker {
            text += "\n[pieces.joker]\nletter = \"J\"\nclass = \"joker\"\n";
        }
        text += &format!(
            "\n[pawns]\nhome-rank = {}\nfirst-rank-steps = {}\ncannon = {}\n",
            self.home + first_rank,
            rng.random_bool(0.1),
            self.promoted.is_empty() && self.walls.is_empty() && rng.random_bool(0.15)
        );
        let last = ranks - 1 + first_rank;
        text += &self.promotion_tables(rng);
        if self.kinds[0].movement.contains('O') {
            text += &self.castling_table(rng);
        }
        if !self.pocket.is_empty() {
            text += &format!(
                "\n[gating]\npocket = \"{}\"\nmovers = \"{}{}\"\nlast-move = {{ white = {}, black = {} }}\nforbids-shielding = {}\n",
                self.pocket,
                pick(rng, &["", "K", "K"]),
                self.some_letters(rng),
                rng.random_range(1..12),
                rng.random_range(1..12),
                rng.random_bool(0.4)
            );
        }
        text = text + &self.drops + &self.explosions(rng) + &self.walls;
        let insufficient = pick(rng, &["\"\"", "\"\", \"R\"", "\"\", \"R\", \"PP\"", ""]);
        let captures_return = !self.drops.is_empty() && !self.drops.contains("none");
        text += &format!(
            "\n[endings]\nstalemate = {}\nmove-rule = {}\nrepetitions = {}\ninsufficient-material = [{}]\n",
            pick(rng, &["0", "0.25", "0.5", "0.5", "0.75", "1"]),
            rng.random_range(1..60),
            rng.random_range(2..5),
            if captures_return || !self.has_king() { "" } else { insufficient }
        );
        text += &self.decisions(rng);
        if rng.random_bool(0.25) {
            text += &format!(
                "\n[endings.material-count]\nmajor = 9\naverage = 6\nminor = 3\njoker = 4\njoker-against-majors = 5\npawn = 1\n\
                 pawn-on-rank = {{ {} = 4 }}\nlead = {}\nscore = {}\n",
                last - 1,
                rng.random_range(1..6),
                pick(rng, &["0.75", "1"])
            );
        }
        text += &self.counting(rng);
        let starts = (0..rng.random_range(1..=2)).map(|_| self.array(rng)).collect();
        Draft { text, starts }
    }

    /// The table of a count of moves; empty in most games.
    fn counting(&self, rng: &mut Rng) -> String {
        let has_pockets = !self.pocket.is_empty() || !self.drops.is_empty();
        if has_pockets || !self.has_king() || self.kinds[1].movement.contains('e') || rng.random_bool(0.3) {
            return String::new();
        }
        let most_pieces = pick(rng, &["", "most-pieces = 3\n", "most-pieces = 9\n"]);
        let mut text = format!(
            "\n[endings.counting]\nfrom-pieces = {}\nmoves = {}\n{most_pieces}",
            rng.random_bool(0.5),
            rng.random_range(1..30)
        );
        if rng.random_bool(0.7) {
            let moves: [u32; 3] = std::array::from_fn(|_| rng.random_range(1..30));
            text += &format!("armies = {{ RR = {}, R = {}, \"\" = {} }}\n", moves[0], moves[1], moves[2]);
        }
        text
    }

    /// The zone of a kind: the near ranks.
    fn zone(&self, rng: &mut Rng) -> String {
        let high = rng.random_range(self.ranks / 2..self.ranks);
        let ranks: Vec<String> = (0..=high).map(|rank| format!("*{}", self.first_rank + rank)).collect();
        format!("zone = \"{}\"\n", ranks.join(" "))
    }

    fn castling_table(&self, rng: &mut Rng) -> String {
        let mut text = "\n[castling]\npartner = \"R\"\n".to_owned();
        if self.pocket.is_empty() && !self.walls.contains("each-move") && rng.random_bool(0.4) {
            let mut file = || char::from(b'a' + rng.random_range(0..self.files) as u8);
            let (kingside, queenside) = (file(), file());
            text +=
                &format!("from-any-file = true\nkingside-file = \"{kingside}\"\nqueenside-file = \"{queenside}\"\n");
        }
        text
    }

    /// Promotion of pawns by rank, of pieces, or both.
    fn promotion_tables(&self, rng: &mut Rng) -> String {
        let (first_rank, last) = (self.first_rank, self.ranks - 1 + self.first_rank);
        let mut text = String::new();
        let by_rank = self.promoted.is_empty() || rng.random_bool(0.5);
        if by_rank {
            text += "\n[promotion]\n";
            if rng.random_bool(0.5) {
                text += &format!("{} = {{ to = \"{}\", optional = true }}\n", last - 1, self.promotions(rng));
            }
            text += &format!("{last} = {{ to = \"{}\" }}\n", self.promotions(rng));
        }
        if !self.promoted.is_empty() {
            text += &format!(
                "\n[piece-promotion]\nranks = [{}, {last}]\nforced = {}\nby-capture = {}\ndemotes = {}\n",
                rng.random_range(first_rank..=last),
                rng.random_bool(0.3),
                rng.random_bool(0.2),
                !by_rank && rng.random_bool(0.4)
            );
        }
        text
    }

    /// Goals, extinction, checks, bare kings and results that decide the game: mostly none.
    fn decisions(&self, rng: &mut Rng) -> String {
        let mut text = String::new();
        if rng.random_bool(0.15) {
            let mut square = || {
                let file = char::from(b'a' + rng.random_range(0..self.files) as u8);
                format!("{file}{}", rng.random_range(0..self.ranks) + self.first_rank)
            };
            let squares = [square(), square(), square()].map(|name| name + " ").concat();
            let piece = pick(rng, &["K", "K", "P", "R"]);
            let (last_turn, held) =
                [(false, false), (true, false), (true, false), (false, true)][rng.random_range(0..4)];
            text += &format!(
                "goal = {{ piece = \"{piece}\", squares = \"{squares}\", last-turn = {last_turn}, held = {held} }}\n"
            );
        }
        if rng.random_bool(0.2) {
            let (pieces, together) = (self.some_letters(rng), rng.random_bool(0.5));
            let (at_most, score) = (rng.random_range(0..=2), rng.random_range(0..=1));
            text += &format!(
                "extinction = {{ pieces = \"{pieces}\", together = {together}, at-most = {at_most}, score = {score} }}\n"
            );
        }
        if rng.random_bool(0.2) {
            let checkmate = pick(rng, &["0", "0.75", "1"]);
            let draw = pick(rng, &["0", "0.25", "0.5", "1"]);
            let by_count = rng.random_bool(0.5);
            text += &format!("checkmate = {checkmate}\ndraw = {draw}\nstalemate-by-count = {by_count}\n");
        }
        if self.has_king() && rng.random_bool(0.1) {
            text += "bare-king-loses = true\n";
        }
        if !self.forbids_checks && rng.random_bool(0.15) {
            text += &format!("checks = {}\n", rng.random_range(1..=5));
        }
        text
    }

    /// A random start: pieces behind a row of pawns, with Black's army mirrored or rotated by 180
    /// degrees.
    fn array(&self, rng: &mut Rng) -> String {
        let mut letters = vec![vec![None; self.files]; self.ranks];
        let king = if rng.random_bool(0.7) { self.files / 2 } else { rng.random_range(0..self.files) };
        let turned = rng.random_bool(0.15);
        let pieces: Vec<char> = self.letters().chars().collect();
        let density = rng.random_range(0.6..=1.0);
        for file in 0..self.files {
            let back = match file {
                _ if file == king => Some('K'),
                // Rooks in the corners for castling.
                _ if file == 0 || file == self.files - 1 => Some('R'),
                _ if self.joker && self.pocket.is_empty() && rng.random_bool(0.15) => Some('J'),
                _ => rng.random_bool(density).then(|| pieces[rng.random_range(0..pieces.len())]),
            };
            let pawn = rng.random_bool(density).then_some('P');
            for (rank, letter) in [(0, back), (self.home, pawn)] {
                if letter.is_some() {
                    letters[rank][file] = letter;
                    let opposite = if turned { self.files - 1 - file } else { file };
                    letters[self.ranks - 1 - rank][opposite] = letter.map(|letter| Color::Black.case(letter));
                }
            }
        }
        for &(file, rank) in &self.hanging {
            if letters[rank][file].is_some_and(|letter| letter.eq_ignore_ascii_case(&'P')) || rng.random_bool(0.3) {
                letters[rank][file] = None;
            }
            if letters[rank][file].is_none() && rng.random_bool(0.3) {
                let color = if rank < self.ranks / 2 { Color::White } else { Color::Black };
                letters[rank][file] = Some(color.case(pieces[rng.random_range(0..pieces.len())]));
            }
        }
        for letter in letters.iter_mut().flatten() {
            *letter = letter.filter(|&letter| self.may_own(letter));
        }
        for &(file, rank) in &self.holes {
            letters[rank][file] = Some('*');
        }
        if !self.walls.is_empty() && rng.random_bool(0.5) {
            let (file, rank) = (rng.random_range(0..self.files), self.ranks / 2);
            letters[rank][file] = letters[rank][file].or(Some('*'));
        }
        let board: Vec<String> = letters.iter().rev().map(|rank| rank_text(rank)).collect();
        let pocket = if self.drops.is_empty() { &self.pocket } else { &self.hand };
        let bracket = match (pocket.as_str(), self.joker) {
            ("", false) => String::new(),
            (pocket, joker) => {
                let last_moved = if joker { ":--" } else { "" };
                format!("[{pocket}{}{last_moved}]", pocket.to_ascii_lowercase())
            }
        };
        format!("{}{bracket} w RIGHTS - 0 1", board.join("/"))
    }
}

/// Index of the rank on which White's pawns begin.
fn random_home(rng: &mut Rng, ranks: usize) -> usize {
    if rng.random_bool(0.8) { 1 } else { rng.random_range(1..=ranks / 2 - 1) }
}

/// Numbers of files and ranks.
fn random_size(rng: &mut Rng) -> (usize, usize) {
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

/// The movement of a king, with castling now and then.
fn random_king(rng: &mut Rng) -> String {
    let king = match rng.random_range(0..10) {
        0 => format!("K{}", random_movement(rng, &["m", "c", "n"])),
        1 => "KmA".to_owned(),
        _ => "K".to_owned(),
    };
    king + pick(rng, &["", "", "isO2", "isO3", "irO2"])
}

/// A table of walls. If each move makes one, no kind is royal any more. The many moves of a duck
/// are for small boards.
fn random_walls(rng: &mut Rng, kinds: &mut [NewKind], is_small: bool, explodes: bool) -> String {
    let rule = match rng.random_range(0..3) {
        _ if explodes => return "\n[walls]\n".to_owned(),
        0 => "",
        _ if is_small => "each-move = \"duck\"\n",
        _ => "each-move = \"past\"\n",
    };
    if !rule.is_empty() {
        for kind in kinds.iter_mut() {
            kind.class = kind.class.filter(|class| !["king", "royal"].contains(class));
        }
    }
    let pieces = kinds[2..].iter().filter(|kind| kind.class != Some("royal"));
    let letters: String =
        pieces.map(|kind| kind.letter).filter(|_| !rule.contains("duck") && rng.random_bool(0.4)).collect();
    format!("\n[walls]\npetrified = \"{letters}\"\n{rule}")
}

/// Gives some of the kinds to one side.
fn give_sides(rng: &mut Rng, kinds: &mut [NewKind], pocket: &str) {
    for kind in kinds {
        let side = pick(rng, &["", "", "white", "black"]);
        let may_have_side = kind.letter != 'P' && !pocket.contains(kind.letter);
        kind.side = (may_have_side && !side.is_empty()).then_some(side);
    }
}

/// Promoted kinds of some of the kinds; mostly none.
fn random_promoted(rng: &mut Rng, kinds: &[NewKind]) -> Vec<NewKind> {
    let promotes = rng.random_bool(0.25);
    let kinds = kinds[1..].iter().filter(|_| promotes);
    let mut letters: Vec<char> = kinds.map(|kind| kind.letter).collect();
    letters.retain(|_| rng.random_bool(0.6));
    let promoted =
        letters.into_iter().map(|letter| NewKind { letter, movement: random_piece(rng), class: None, side: None });
    promoted.collect()
}

/// A table of drops, and letters for a pocket.
fn random_drops(rng: &mut Rng, kinds: &[NewKind]) -> (String, String) {
    let letters: Vec<char> = kinds[1..].iter().map(|kind| kind.letter).collect();
    let mut text = "\n[drops]\n".to_owned();
    let mut dropped = letters.clone();
    if rng.random_bool(0.4) {
        dropped.retain(|_| rng.random_bool(0.6));
        if dropped.is_empty() {
            dropped = letters;
        }
        text += &format!("kinds = \"{}\"\n", dropped.iter().collect::<String>());
    }
    for (key, choices) in [
        ("captured", ["\"capturer\"", "\"capturer\"", "\"owner\"", "\"none\""]),
        ("promoted-revert", ["true", "true", "true", "false"]),
        ("pawn-mate", ["true", "false", "false", "true"]),
    ] {
        text += &format!("{key} = {}\n", pick(rng, &choices));
    }
    if rng.random_bool(0.3) {
        text += &format!("pawns-per-file = {}\n", rng.random_range(1..=2));
    }
    if rng.random_bool(0.3) {
        let letter = dropped[rng.random_range(0..dropped.len())];
        text += &format!("ranks = {{ {letter} = [1, {}] }}\n", rng.random_range(2..=4));
    }
    let hand = (0..rng.random_range(0..=3)).map(|_| dropped[rng.random_range(0..dropped.len())]);
    let hand = hand.collect();
    (text, hand)
}

/// A rank of a FEN.
fn rank_text(letters: &[Option<char>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in letters.iter().chain([&Some('/')]) {
        match letter {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(*letter);
            }
        }
    }
    text.pop();
    text
}
