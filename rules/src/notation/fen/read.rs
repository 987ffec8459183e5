//! FEN parser.

use std::sync::Arc;

use super::{FenError, Field};
use crate::text::excerpt;
use crate::types::board::Board;
use crate::types::color::{ByColor, Color};
use crate::types::piece::{Kind, Piece};
use crate::types::rights::Rights;
use crate::types::square::{Square, SquareSet};
use crate::types::turn::{MAX_COUNT, MAX_COUNT_LIMIT, Turn};
use crate::variant::GameDef;
use crate::variant::mechanism::castling::CastlingWing;
use crate::variant::{EnPassantField, Setup, SetupWarning};

/// One field, or a part of one, with its position in the FEN.
#[derive(Clone, Copy)]
struct FieldText<'t> {
    field: Field,
    body: &'t str,
    /// Characters of the FEN before this text.
    before: usize,
}

impl<'t> FieldText<'t> {
    fn error(self, at_byte: usize, found: impl Into<String>, expected: impl Into<String>) -> FenError {
        let inside = self.body.get(..at_byte).unwrap_or(self.body).chars().count();
        FenError::Syntax {
            field: self.field,
            column: self.before + inside + 1,
            found: excerpt(&found.into()),
            expected: expected.into(),
        }
    }

    fn error_at_char(self, at_byte: usize, expected: impl Into<String>) -> FenError {
        let found = self.body.get(at_byte..).and_then(|rest| rest.chars().next());
        self.error(at_byte, found.map_or_else(|| "the end".to_owned(), |c| format!("`{c}`")), expected)
    }

    fn part(self, field: Field, from: usize, to: usize) -> FieldText<'t> {
        FieldText { field, body: &self.body[from..to], before: self.before + self.body[..from].chars().count() }
    }
}

/// Splits a text into its first `count` fields at most, each with the characters before it, and the
/// rest. A semicolon ends them.
fn split_fields(text: &str, count: usize) -> (Vec<(&str, usize)>, &str) {
    let mut fields = Vec::new();
    let mut rest = text;
    let mut before = 0;
    loop {
        let trimmed = rest.trim_start();
        before += rest[..rest.len() - trimmed.len()].chars().count();
        if trimmed.is_empty() || trimmed.starts_with(';') || fields.len() == count {
            return (fields, trimmed);
        }
        let end = trimmed.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(trimmed.len());
        fields.push((&trimmed[..end], before));
        before += trimmed[..end].chars().count();
        rest = &trimmed[end..];
    }
}

impl Setup {
    /// Reads a FEN without checking whether the position is legal. The two counters may be missing,
    /// as in EPD, and so may the counts of checks.
    ///
    /// # Errors
    /// Returns the first syntax error.
    pub fn from_fen(game: &Arc<GameDef>, fen: &str) -> Result<Setup, FenError> {
        let (fields, rest) = Fields::split(game, fen, |_| true)?;
        if !rest.is_empty() {
            return Err(FenError::FieldCount { found: fen.split_whitespace().count() });
        }
        read_fields(game, &fields)
    }
}

/// A field with the characters before it.
type PlacedField<'t> = (&'t str, usize);

/// The six fields of a FEN, and the counts of checks if there are any.
struct Fields<'t> {
    six: [PlacedField<'t>; 6],
    checks: Option<PlacedField<'t>>,
    /// The FEN as it is written.
    written: &'t str,
    /// Counters that it lacks, 0 to 2.
    missing: usize,
    /// True if it ends with the side to move.
    lacks_rights: bool,
}

impl<'t> Fields<'t> {
    /// Splits a FEN from the text behind it. `is_counter` recognizes a field behind the first four.
    /// A missing counter is its default. A game that uses no rights or no en passant may lack these
    /// fields, as cutechess's FENs of shogi do; a FEN may end with the side to move.
    fn split(
        game: &GameDef,
        text: &'t str,
        is_counter: impl Fn(&str) -> bool,
    ) -> Result<(Fields<'t>, &'t str), FenError> {
        let (all, _) = split_fields(text, 8);
        let after_side: Vec<&str> = all.iter().skip(2).map(|&(body, _)| body).collect();
        let is_number =
            |index: usize| after_side.get(index).is_some_and(|body| body.bytes().all(|byte| byte.is_ascii_digit()));
        let uses_rights = !game.rights.is_empty();
        let uses_en_passant = game.has_en_passant() || game.mechanisms.counting.is_some();
        let lacks_rights = after_side.is_empty();
        let lacks_both = lacks_rights || !uses_rights && !uses_en_passant && is_number(0) && is_number(1);
        let lacks_one = (!uses_rights || !uses_en_passant)
            && game.mechanisms.counting.is_none()
            && !is_number(0)
            && is_number(1)
            && is_number(2);
        let head = if lacks_both { 2 } else { 4 - usize::from(lacks_one) };
        let counters = all.iter().skip(head).take_while(|(body, _)| is_counter(body));
        let has_checks = counters.clone().any(|(body, _)| body.contains('+'));
        let counters = counters.count().min(2 + usize::from(has_checks));
        let (mut found, rest) = split_fields(text, head + counters);
        if all.len() < head {
            return Err(FenError::FieldCount { found: all.len() });
        }
        // The counts of checks are behind the en passant square or at the end.
        let checks = found.iter().skip(head).position(|(body, _)| body.contains('+'));
        let checks = checks.map(|index| found.remove(head + index));
        found.truncate(head + 2);
        if head < 4 {
            let missing = ("-", found[1].1 + found[1].0.len());
            let at = if lacks_one && uses_rights { 3 } else { 2 };
            found.splice(at..at, std::iter::repeat_n(missing, 4 - head));
        }
        let mut six = [("0", 0), ("0", 0), ("0", 0), ("0", 0), ("0", 0), ("1", 0)];
        six[..found.len()].copy_from_slice(&found);
        let written = text[..text.len() - rest.len()].trim();
        Ok((Fields { six, checks, written, missing: 6 - found.len(), lacks_rights }, rest))
    }
}

fn read_fields(game: &Arc<GameDef>, fields: &Fields<'_>) -> Result<Setup, FenError> {
    let text = |field, (body, before)| FieldText { field, body, before };
    let [board, side, rights, en_passant, clock, number] = fields.six;
    if let Some(checks) = fields.checks.filter(|_| game.mechanisms.check_count.is_none()) {
        read_counter(text(Field::HalfmoveClock, checks))?;
    }
    let whole = text(Field::Board, board);
    let pocket = pocket_start(game, whole.body);
    let mut warnings = Vec::new();
    if fields.lacks_rights && !game.rights.is_empty() {
        warnings.push(SetupWarning::NoRights);
    }
    let (pieces, walls) = read_board(game, whole.part(Field::Board, 0, pocket))?;
    let bracket = whole.part(Field::Pocket, pocket, whole.body.len());
    // Fairy-Stockfish writes no bracket for the empty pockets of games with drops.
    if bracket.body.is_empty() && (game.mechanisms.gating.is_some() || game.kinds.joker().is_some()) {
        warnings.push(SetupWarning::NoPocket);
    }
    let (pockets, last_moved_as) = read_bracket(game, bracket)?;
    Ok(Setup {
        turn: read_turn(game, text(Field::SideToMove, side))?,
        rights: read_rights(game, &pieces, text(Field::Rights, rights), &mut warnings)?,
        en_passant: match game.mechanisms.counting {
            None => read_en_passant(game, text(Field::EnPassant, en_passant))?,
            Some(_) => EnPassantField::None,
        },
        count_limit: match game.mechanisms.counting {
            None => None,
            Some(_) => read_count_limit(text(Field::CountLimit, en_passant))?,
        },
        halfmove_clock: read_counter(text(Field::HalfmoveClock, clock))?,
        fullmove_number: read_counter(text(Field::FullmoveNumber, number))?.max(1),
        checks_left: read_checks(game, fields.checks.map(|checks| text(Field::Checks, checks)))?,
        pieces,
        walls,
        pockets,
        last_moved_as,
        warnings,
    })
}

/// The byte at which the pocket begins: in brackets or, as lichess writes it, as a rank below the
/// lowest.
fn pocket_start(game: &GameDef, board: &str) -> usize {
    let as_rank = || board.match_indices('/').nth(usize::from(game.board.ranks()) - 1).map(|(at, _)| at);
    let pocket = board.find('[').or_else(|| as_rank().filter(|_| !game.pocket_kinds().is_empty()));
    pocket.unwrap_or(board.len())
}

/// Reads the checks that the sides still have to give, `3+3`, or have given, `+0+0`.
fn read_checks(game: &GameDef, text: Option<FieldText<'_>>) -> Result<ByColor<u8>, FenError> {
    let most = game.mechanisms.check_count.map_or(0, |count| count.0);
    let Some(text) = text else {
        return Ok(ByColor([most; 2]));
    };
    let given = text.body.strip_prefix('+');
    let counts = given.unwrap_or(text.body).split_once('+');
    let read = |count: &str| count.parse::<u8>().ok().filter(|&count| count <= most);
    let counts = counts.and_then(|(white, black)| Some([read(white)?, read(black)?]));
    let left = |counts: [u8; 2]| {
        if given.is_some() { counts.map(|count| most - count) } else { counts }
    };
    counts.map(|counts| ByColor(left(counts))).ok_or_else(|| {
        let expected =
            format!("counts from 0 to {most}: checks still to give, like `{most}+{most}`, or given, like `+0+0`");
        text.error(0, format!("`{}`", text.body), expected)
    })
}

/// Reads an EPD line: a FEN whose counters may be missing, then operations, of which `hmvc` and
/// `fmvn` set the counters. Returns also the FEN as it is written, with the counters that it lacks,
/// and the operations.
pub(super) fn read_epd<'t>(game: &Arc<GameDef>, line: &'t str) -> Result<(Setup, String, &'t str), FenError> {
    let is_counter = |body: &str| body == "-" || body.starts_with(|c: char| c.is_ascii_digit() || c == '+');
    let (mut fields, rest) = Fields::split(game, line, is_counter)?;
    let mut before = line.chars().count() - rest.chars().count();
    let mut is_quoted = false;
    let operations = rest.split(|c| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    for operation in operations {
        if let Some((opcode, operand)) = operation.trim().split_once(char::is_whitespace) {
            let operand = operand.trim_start();
            let start = operation.trim_end().chars().count() - operand.chars().count();
            match opcode {
                "hmvc" => fields.six[4] = (operand, before + start),
                "fmvn" => fields.six[5] = (operand, before + start),
                _ => {}
            }
        }
        before += operation.chars().count() + 1;
    }
    let missing = fields.six[6 - fields.missing..].iter().map(|(body, _)| format!(" {body}"));
    let fen = missing.fold(fields.written.to_owned(), |fen, counter| fen + &counter);
    Ok((read_fields(game, &fields)?, fen, rest))
}

/// Reads only the board field, for a definition whose rights have not been derived yet.
pub(crate) fn read_pieces(game: &GameDef, fen: &str) -> Result<Vec<Option<Piece>>, FenError> {
    let board = fen.split_whitespace().next().unwrap_or("");
    let text = FieldText { field: Field::Board, body: &board[..pocket_start(game, board)], before: 0 };
    read_board(game, text).map(|(pieces, _)| pieces)
}

/// Reads pieces and walls.
fn read_board(game: &GameDef, text: FieldText<'_>) -> Result<(Vec<Option<Piece>>, SquareSet), FenError> {
    let board = &game.board;
    let (files, ranks) = (usize::from(board.files()), usize::from(board.ranks()));
    let mut pieces = vec![None; board.box_size()];
    let mut walls = SquareSet::EMPTY;
    let found = text.body.split('/').count();
    if found != ranks {
        return Err(text.error(text.body.len(), format!("{found} ranks"), format!("{ranks} ranks")));
    }
    let mut at = 0;
    for (index, rank_text) in text.body.split('/').enumerate() {
        let rank = ranks - 1 - index;
        let rank_name = board.rank_number(rank as u8);
        let mut file = 0;
        let mut offset = 0;
        while let Some(c) = rank_text[offset..].chars().next() {
            let here = at + offset;
            let place = board.square_at(file as i16, rank as i16);
            let room = files - file;
            if room == 0 {
                return Err(text.error(
                    here,
                    format!("more than {files} squares on rank {rank_name}"),
                    format!("{files}"),
                ));
            }
            if c.is_ascii_digit() {
                let digits = rank_text[offset..].bytes().take_while(u8::is_ascii_digit).count();
                let run = &rank_text[offset..offset + digits];
                // XBoard writes ten empty squares as `91`; others divide the rest of a rank.
                let sum: usize = run.bytes().map(|digit| usize::from(digit - b'0')).sum();
                let is_sum =
                    !run.contains('0') && (sum == room || run[..digits - 1].bytes().all(|digit| digit == b'9'));
                let fits = |empty: &usize| (1..=room).contains(empty);
                match run.parse().ok().filter(fits).or_else(|| Some(sum).filter(|sum| is_sum && fits(sum))) {
                    Some(empty) if !run.starts_with('0') => file += empty,
                    _ => {
                        let expected = format!("1 to {room} empty squares, the rest of rank {rank_name}");
                        return Err(text.error(here, format!("`{run}`"), expected));
                    }
                }
                offset += digits;
                continue;
            }
            let name = || format!("{}{rank_name}", Board::file_letter(file as u8));
            match (c, place) {
                ('*', None) => {}
                ('*', Some(square)) if game.mechanisms.walls.is_some() => walls.insert(square),
                ('*', Some(_)) => {
                    return Err(text.error(here, "`*`", format!("a piece or a number: {} is a square", name())));
                }
                (_, None) => {
                    return Err(text.error(here, format!("`{c}`"), format!("`*`: {} is not a square", name())));
                }
                (_, Some(square)) => {
                    let rest = &rank_text[offset..];
                    let (mut piece, after) = read_piece(game, rest).ok_or_else(|| {
                        let after_plus = usize::from(c == '+');
                        text.error_at_char(here + after_plus, format!("a piece ({}) or a number", game.kinds.letters()))
                    })?;
                    let length = rest.len() - after.len();
                    offset += length - 1;
                    if rank_text[offset + 1..].starts_with('~') {
                        let name = &game.kind(piece.kind).name;
                        piece.kind = game.kinds.promoted_copy(piece.kind).ok_or_else(|| {
                            let expected = format!("no `~`: no {name} of this game becomes a pawn again when captured");
                            text.error_at_char(here + length, expected)
                        })?;
                        offset += 1;
                    }
                    pieces[square.index()] = Some(piece);
                }
            }
            file += 1;
            offset += 1;
        }
        if file < files {
            let end = at + rank_text.len();
            return Err(text.error(end, format!("{file} squares on rank {rank_name}"), format!("{files}")));
        }
        at += rank_text.len() + 1;
    }
    Ok((pieces, walls))
}

/// Reads a piece at the beginning of a text. Returns it and the rest.
fn read_piece<'t>(game: &GameDef, text: &'t str) -> Option<(Piece, &'t str)> {
    let (kind, rest) = game.kinds.parse(text)?;
    let symbol = &text[..text.len() - rest.len()];
    let color = if symbol.ends_with(|letter: char| letter.is_ascii_uppercase()) { Color::White } else { Color::Black };
    Some((Piece { color, kind }, rest))
}

type Bracket = (ByColor<Vec<Kind>>, ByColor<Option<Kind>>);

/// Reads `[Jj:Nq]`: the pockets, then the kinds that White and Black last moved.
fn read_bracket(game: &GameDef, text: FieldText<'_>) -> Result<Bracket, FenError> {
    let mut pockets = ByColor::<Vec<Kind>>::default();
    let mut last_moved_as = ByColor::default();
    let allowed = game.pocket_kinds();
    if text.body.is_empty() {
        return Ok((pockets, last_moved_as));
    }
    let in_brackets = || text.body.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let Some(inside) = text.body.strip_prefix('/').or_else(in_brackets) else {
        return Err(text.error(text.body.len(), "the end of the board field", "`]`"));
    };
    let (pieces, kinds_text) = match inside.split_once(':') {
        Some((pieces, kinds)) => (pieces, Some(kinds)),
        // cutechess and XBoard write an empty pocket so.
        None => (if inside == "-" { "" } else { inside }, None),
    };
    for (offset, _) in pieces.char_indices() {
        let piece = read_piece(game, &pieces[offset..]).filter(|(piece, _)| allowed.contains(&piece.kind));
        let Some((piece, _)) = piece else {
            let names: String = allowed.iter().map(|&kind| game.kind(kind).letter).collect();
            let expected = if names.is_empty() {
                "`]`: this game has no pieces in pockets".to_owned()
            } else {
                format!("one of {names} in either case, or `]`")
            };
            return Err(text.error_at_char(1 + offset, expected));
        };
        let pocket = &mut pockets[piece.color];
        if game.mechanisms.drops.is_none() && pocket.contains(&piece.kind) {
            return Err(text.error_at_char(1 + offset, "at most one piece of a kind in each pocket"));
        }
        pocket.push(piece.kind);
    }
    for color in Color::ALL {
        pockets[color].sort_unstable();
    }
    if let Some(kinds_text) = kinds_text {
        let start = 1 + pieces.len() + 1;
        if game.kinds.joker().is_none() {
            return Err(text.error(start - 1, "`:`", "`]`: only games with a joker record the last moved kinds"));
        }
        let mut rest = kinds_text;
        for color in Color::ALL {
            let at = start + kinds_text.len() - rest.len();
            let expected = || format!("the kind {color} last moved: `-` or its letter in {color}'s case");
            if let Some(after) = rest.strip_prefix('-') {
                rest = after;
                continue;
            }
            let read = read_piece(game, rest)
                .filter(|(piece, _)| piece.color == color && Some(piece.kind) != game.kinds.joker());
            let (piece, after) = read.ok_or_else(|| text.error_at_char(at, expected()))?;
            last_moved_as[color] = Some(piece.kind);
            rest = after;
        }
        if !rest.is_empty() {
            let at = start + kinds_text.len() - rest.len();
            return Err(text.error_at_char(at, "`]` after the two last moved kinds"));
        }
    }
    Ok((pockets, last_moved_as))
}

fn read_turn(game: &GameDef, text: FieldText<'_>) -> Result<Turn, FenError> {
    let turn = Turn::from_text(text.body)
        .filter(|turn| game.mechanisms.handicaps.is_some() || matches!(turn, Turn::Single(_)));
    let expected = if game.mechanisms.handicaps.is_some() {
        "`w` or `b` (handicaps: `ww`, `wbqbq`, `bqbq`, `bq`)"
    } else {
        "`w` or `b`"
    };
    turn.ok_or_else(|| text.error(0, format!("`{}`", text.body), expected))
}

fn read_rights(
    game: &GameDef,
    pieces: &[Option<Piece>],
    text: FieldText<'_>,
    warnings: &mut Vec<SetupWarning>,
) -> Result<Rights, FenError> {
    let mut rights = Rights::EMPTY;
    if text.body == "-" {
        return Ok(rights);
    }
    for (offset, c) in text.body.char_indices() {
        let index = game.rights.iter().position(|right| right.letter == c);
        let Some(index) = index.or_else(|| right_of_partner(game, pieces, c)) else {
            let is_file = |file| Board::file_letter(file) == c.to_ascii_lowercase();
            if "KQkq".contains(c) || (0..game.board.files()).any(is_file) {
                warnings.push(SetupWarning::Right { letter: c });
                continue;
            }
            let known: String = game.rights.iter().map(|right| right.letter).collect();
            let expected = if known.is_empty() { "`-`".to_owned() } else { format!("`-` or some of {known}") };
            return Err(text.error_at_char(offset, expected));
        };
        if rights.contains(index) {
            return Err(text.error_at_char(offset, "each letter at most once"));
        }
        rights.insert(index);
    }
    Ok(rights)
}

/// The right that a letter names otherwise than in this game: by the file of the partner, as in
/// Shredder-FEN, or `K` and `Q` where king and partner may begin on any files, as in X-FEN. King
/// and partner must be on squares that they can castle from.
fn right_of_partner(game: &GameDef, pieces: &[Option<Piece>], letter: char) -> Option<usize> {
    let castling = game.mechanisms.castling.as_ref()?;
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let stands = |square: Square, kind| pieces[square.index()] == Some(Piece { color, kind });
    let is_named = |wing: &&CastlingWing| {
        let is_right = wing.partner_from > wing.king_from;
        let name = match (castling.from_any_file, is_right) {
            (false, _) => Board::file_letter(game.board.file(wing.partner_from)),
            (true, true) => 'k',
            (true, false) => 'q',
        };
        wing.color == color
            && name == letter.to_ascii_lowercase()
            && game.kinds.castling_king().is_some_and(|king| stands(wing.king_from, king))
            && stands(wing.partner_from, wing.partner)
    };
    // The outermost partner on its side.
    let distance = |wing: &&CastlingWing| wing.partner_from.0.abs_diff(wing.king_from.0);
    game.castling_right(castling.wings.iter().filter(is_named).max_by_key(distance)?)
}

/// Reads the plies after which the count of moves that runs ends the game.
fn read_count_limit(text: FieldText<'_>) -> Result<Option<u32>, FenError> {
    if text.body == "-" {
        return Ok(None);
    }
    let limit = text.body.parse().ok().filter(|limit| (1..=MAX_COUNT_LIMIT).contains(limit));
    let expected = || format!("`-`, or the plies that are counted, 1 to {MAX_COUNT_LIMIT}");
    let error = || text.error(0, format!("`{}`", text.body), expected());
    limit.map(Some).ok_or_else(error)
}

fn read_en_passant(game: &GameDef, text: FieldText<'_>) -> Result<EnPassantField, FenError> {
    if text.body == "-" {
        return Ok(EnPassantField::None);
    }
    let expected = if game.double_step_is_ambiguous() {
        "`-`, or the square passed over and the victim's, like `f3g4`"
    } else {
        "`-` or the square passed over, like `e3`"
    };
    let error = |at: usize| text.error(at, format!("`{}`", &text.body[at..]), expected);
    let (first, rest) = game.board.parse_square_prefix(text.body).ok_or_else(|| error(0))?;
    if rest.is_empty() {
        return Ok(EnPassantField::One(first));
    }
    let at = text.body.len() - rest.len();
    let second = game.board.parse_square(rest).ok_or_else(|| error(at))?;
    Ok(EnPassantField::Two(first, second))
}

/// Reads a counter. Some writers write `-` for 0.
fn read_counter(text: FieldText<'_>) -> Result<u32, FenError> {
    if text.body == "-" {
        return Ok(0);
    }
    let is_number = text.body.bytes().all(|byte| byte.is_ascii_digit());
    text.body
        .parse::<u32>()
        .ok()
        .filter(|&count| is_number && count <= MAX_COUNT)
        .ok_or_else(|| text.error(0, format!("`{}`", text.body), format!("a whole number from 0 to {MAX_COUNT}")))
}
