//! PGN reader.

use std::sync::Arc;

use super::chunks::Chunks;
use super::error::{PgnError, PgnErrorKind};
use super::lexer::{Lexer, Tag, Token, TokenKind};
use super::{DERIVED_TAGS, MAX_NESTED_VARIATIONS, PgnGame, Variation, result_marker};
use crate::notation::fen::lost_chess960_castling;
use crate::notation::move_text::parse_move;
use crate::types::moves::Move;
use crate::types::outcome::Points;
use crate::variant::GameDef;
use crate::variant::Position;

/// Maximum number of tags of a game. Lookup is linear, so more would take quadratic time.
const MAX_TAGS: usize = 256;

/// Iterator over the games of a text. After an error it continues with the next tag section.
///
/// ```
/// use assay_rules::GameDef;
/// use assay_rules::def::builtin_variant;
/// use assay_rules::pgn::PgnReader;
///
/// let chess = GameDef::builtin("chess").unwrap();
/// let text = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 {why?} Qh4# 0-1\n";
/// let games: Vec<_> = PgnReader::new(text, &chess, builtin_variant).collect::<Result<_, _>>().unwrap();
/// assert_eq!(games[0].moves().len(), 4);
/// assert_eq!(games[0].comments()[2].as_deref(), Some("why?"));
/// ```
#[derive(Debug)]
pub struct PgnReader<'t, R> {
    chunks: Chunks<'t>,
    lexer: Option<Lexer<'t>>,
    default: Arc<GameDef>,
    resolve: R,
    /// Plies read of each game; `None` for all, and for the result.
    plies: Option<usize>,
    /// Variations of the last game read that were cut; `None` if variations are skipped.
    cut_variations: Option<usize>,
    /// True if the last game read has no result behind its moves.
    lacks_result: bool,
}

impl<'t, R: FnMut(&str) -> Option<Arc<GameDef>>> PgnReader<'t, R> {
    /// Creates a reader. `resolve` finds the game that a `Variant` tag names; games without that
    /// tag are of the `default` game. A byte order mark is skipped.
    pub fn new(text: &'t str, default: &Arc<GameDef>, resolve: R) -> PgnReader<'t, R> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let default = Arc::clone(default);
        PgnReader {
            chunks: Chunks::new(text),
            lexer: None,
            default,
            resolve,
            plies: None,
            cut_variations: None,
            lacks_result: false,
        }
    }

    /// Reads only the first plies of each game, as openings: what follows them, the result
    /// included, need not be readable.
    #[must_use]
    pub fn with_plies(self, plies: usize) -> PgnReader<'t, R> {
        PgnReader { plies: Some(plies), ..self }
    }

    /// Reads variations, too. Programs and people write null moves and illegal ones into them: a
    /// variation ends before the first word that is no legal move.
    #[must_use]
    pub fn with_variations(self) -> PgnReader<'t, R> {
        PgnReader { cut_variations: Some(0), ..self }
    }

    /// The number of variations of the last game read that end before such a word.
    pub fn cut_variations(&self) -> usize {
        self.cut_variations.unwrap_or(0)
    }

    /// Returns true if the last game read has no result behind its moves, as where a file was cut
    /// off. Its tag counts.
    pub fn lacks_result(&self) -> bool {
        self.lacks_result
    }

    /// Reads the next game of the lexer's chunk, if there is one.
    fn read_game(&mut self, lexer: &mut Lexer<'t>) -> Result<Option<PgnGame>, PgnError> {
        let mut comments = Vec::new();
        let mut tags = Tags::default();
        let first = loop {
            let token = lexer.next_token()?;
            match token.kind {
                // Comments before a tag section belong to the file, not to the game.
                TokenKind::Tag(tag) => {
                    comments.clear();
                    tags.add(lexer, token.offset, tag)?;
                }
                TokenKind::Comment(text) => comments.push(text),
                TokenKind::End if tags.all.is_empty() => return Ok(None),
                _ => break token,
            }
        };
        let start = self.read_start(lexer, &tags)?;
        let mut game = PgnGame::new(start);
        for tag in tags.all.iter().filter(|tag| !DERIVED_TAGS.contains(&tag.name)) {
            game.set_tag(tag.name, &tag.value).expect("the lexer accepts only valid tag names");
        }
        for text in comments {
            game.add_comment(text);
        }
        self.cut_variations = self.cut_variations.map(|_| 0);
        let end = match read_moves(lexer, first, &mut game, self.plies, self.cut_variations.as_mut())? {
            MovesEnd::Plies => return Ok(Some(game)),
            MovesEnd::Marker(at, marker) => Some((at, marker)),
            MovesEnd::NoMarker => None,
        };
        if let Some((at, marker)) = end
            && tags.all.is_empty()
            && game.moves().is_empty()
        {
            return Err(lexer.unexpected(at, format!("`{}`", marker.text()), "a tag section or a move"));
        }
        if self.plies.is_some() {
            return Ok(Some(game));
        }
        self.lacks_result = end.is_none();
        let declared = DeclaredResult::read(lexer, &tags)?;
        let marker = if let Some((at, marker)) = end {
            declared.check(lexer, at, marker)?;
            Some(marker)
        } else {
            check_ply_count(lexer, &tags, game.moves().len())?;
            declared.marker
        };
        game.set_result(declared.points.or(marker.and_then(|marker| marker.0)));
        Ok(Some(game))
    }

    /// Start position declared by the tags.
    fn read_start(&mut self, lexer: &Lexer<'t>, tags: &Tags<'t>) -> Result<Position, PgnError> {
        let game = match tags.find("Variant") {
            None => Arc::clone(&self.default),
            Some(tag) => (self.resolve)(&tag.value).ok_or_else(|| {
                lexer.error(tag.value_offset, PgnErrorKind::UnknownVariant { name: tag.value.clone() })
            })?,
        };
        let fen = tags.find("FEN");
        if let Some(setup) = tags.find("SetUp") {
            let contradiction = |found: &str, earlier: &str| {
                let kind = PgnErrorKind::Contradiction { found: found.to_owned(), earlier: earlier.to_owned() };
                Err(lexer.error(setup.value_offset, kind))
            };
            match (setup.value.as_str(), fen) {
                ("0", None) | ("1", Some(_)) => {}
                ("0", Some(_)) => return contradiction("tag `SetUp` with `0`", "the tag `FEN`"),
                ("1", None) => return contradiction("tag `SetUp` with `1`", "the missing tag `FEN`"),
                (other, _) => return Err(lexer.unexpected(setup.value_offset, format!("`{other}`"), "`0` or `1`")),
            }
        }
        match fen {
            None => Ok(Position::start(&game)),
            Some(tag) => {
                let error = |kind| lexer.error(tag.value_offset, kind);
                let read = Position::read_fen(&game, &tag.value);
                let (position, warnings) = read.map_err(|fault| error(PgnErrorKind::Fen { error: fault }))?;
                if lost_chess960_castling(&game, &tag.value, &warnings) {
                    return Err(error(PgnErrorKind::Chess960));
                }
                Ok(position)
            }
        }
    }
}

impl<R: FnMut(&str) -> Option<Arc<GameDef>>> Iterator for PgnReader<'_, R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut lexer = match self.lexer.take() {
                Some(lexer) => lexer,
                None => Lexer::new(self.chunks.next()?),
            };
            match self.read_game(&mut lexer) {
                Ok(Some(game)) => {
                    self.lexer = Some(lexer);
                    return Some(Ok(game));
                }
                Ok(None) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// A tag section.
#[derive(Default)]
struct Tags<'t> {
    all: Vec<Tag<'t>>,
}

impl<'t> Tags<'t> {
    fn add(&mut self, lexer: &Lexer<'t>, at: usize, tag: Tag<'t>) -> Result<(), PgnError> {
        if self.all.len() == MAX_TAGS {
            let found = format!("tag `{}`", tag.name);
            return Err(lexer.unexpected(at, found, "at most 256 tags in a game"));
        }
        if self.find(tag.name).is_some() {
            return Err(lexer.error(at, PgnErrorKind::DuplicateTag { name: tag.name.to_owned() }));
        }
        self.all.push(tag);
        Ok(())
    }

    fn find(&self, name: &str) -> Option<&Tag<'t>> {
        self.all.iter().find(|tag| tag.name == name)
    }
}

/// White's points by a `Result` tag or a termination marker; `None` for an unfinished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marker(Option<Points>);

impl Marker {
    fn read(text: &str) -> Option<Marker> {
        let plain = |c: char| match c {
            '½' => "1/2".to_owned(),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => "-".to_owned(),
            c => c.to_string(),
        };
        let decoded;
        let text = if text.is_ascii() {
            text
        } else {
            decoded = text.chars().map(plain).collect::<String>();
            &decoded
        };
        let text = if text == "1/2" { "1/2-1/2" } else { text };
        let results = [Some(Points::WIN), Some(Points::LOSS), Some(Points::DRAW), None];
        results.into_iter().find(|&result| result_marker(result) == text).map(Marker)
    }

    fn text(self) -> &'static str {
        result_marker(self.0)
    }
}

/// The result according to the tags.
struct DeclaredResult {
    marker: Option<Marker>,
    points: Option<Points>,
}

/// Without a result behind the moves, a game may have been cut off: the tag `PlyCount` tells.
fn check_ply_count(lexer: &Lexer<'_>, tags: &Tags<'_>, plies: usize) -> Result<(), PgnError> {
    match tags.find("PlyCount") {
        Some(tag) if tag.value.parse::<usize>().is_ok_and(|declared| declared != plies) => {
            let found = format!("tag `PlyCount` with `{}`", tag.value);
            let earlier = format!("the text of {plies} plies without a result");
            Err(lexer.error(tag.value_offset, PgnErrorKind::Contradiction { found, earlier }))
        }
        _ => Ok(()),
    }
}

impl DeclaredResult {
    fn read(lexer: &Lexer<'_>, tags: &Tags<'_>) -> Result<DeclaredResult, PgnError> {
        let mut declared = DeclaredResult { marker: None, points: None };
        if let Some(tag) = tags.find("Result") {
            declared.marker = Some(Marker::read(&tag.value).ok_or_else(|| {
                lexer.unexpected(tag.value_offset, format!("`{}`", tag.value), "`1-0`, `0-1`, `1/2-1/2` or `*`")
            })?);
        }
        if let Some(tag) = tags.find("Score") {
            let points = parse_score(&tag.value).ok_or_else(|| {
                let expected = "White's and Black's points, like `0.75-0.25`, together 1";
                lexer.unexpected(tag.value_offset, format!("`{}`", tag.value), expected)
            })?;
            declared.points = Some(points);
            if let Some(result) = declared.marker.filter(|result| result.text() != result_marker(Some(points))) {
                let found = format!("tag `Score` with `{}`", tag.value);
                let earlier = format!("tag `Result` with `{}`", result.text());
                return Err(lexer.error(tag.value_offset, PgnErrorKind::Contradiction { found, earlier }));
            }
        }
        Ok(declared)
    }

    /// Checks the termination marker at `offset` against the tags.
    fn check(&self, lexer: &Lexer<'_>, offset: usize, found: Marker) -> Result<(), PgnError> {
        let tag = match (self.marker, self.points) {
            (Some(result), _) => ("Result", result.text()),
            (None, Some(points)) => ("Score", result_marker(Some(points))),
            (None, None) => return Ok(()),
        };
        if tag.1 == found.text() {
            return Ok(());
        }
        let earlier = format!("tag `{}`, which says `{}`", tag.0, tag.1);
        let found = format!("termination marker `{}`", found.text());
        Err(lexer.error(offset, PgnErrorKind::Contradiction { found, earlier }))
    }
}

/// Parses a `Score` tag and returns White's points.
fn parse_score(text: &str) -> Option<Points> {
    let points = |text: &str| match text {
        "1/2" => Some(Points::DRAW),
        _ => Points::from_f64(text.parse().ok()?),
    };
    let (white, black) = text.split_once('-')?;
    let white = points(white.trim())?;
    (points(black.trim())? == white.flipped()).then_some(white)
}

/// Where the moves of a game end.
enum MovesEnd {
    /// At a termination marker, with its offset.
    Marker(usize, Marker),
    /// At the end of the text or before the next tags.
    NoMarker,
    /// After as many plies as are to be read.
    Plies,
}

/// A variation that is being read.
struct OpenVariation {
    /// Of its parenthesis.
    offset: usize,
    read: Variation,
    /// The positions before and after its last move, until its moves are skipped.
    at: Option<[Position; 2]>,
}

impl OpenVariation {
    /// Returns false if the variation is cut here.
    fn read_word(&mut self, word: &str) -> bool {
        let text = strip_move_number(word);
        let Some([before, end]) = &mut self.at else { return true };
        if text.trim_matches(['!', '?']).is_empty() || text == "e.p." || Marker::read(text).is_some() {
            return true;
        }
        let Ok(mv) = parse_move(end, text) else {
            self.at = None;
            return false;
        };
        let after = end.play(mv);
        *before = std::mem::replace(end, after);
        self.read.moves.push(mv);
        true
    }
}

/// Reads moves and comments up to the end of the game. What follows `plies` moves is skipped, and
/// so are variations, unless those that are cut are to be counted.
fn read_moves<'t>(
    lexer: &mut Lexer<'t>,
    first: Token<'t>,
    game: &mut PgnGame,
    plies: Option<usize>,
    mut cut: Option<&mut usize>,
) -> Result<MovesEnd, PgnError> {
    // Each is inside the one before it.
    let mut open: Vec<OpenVariation> = Vec::new();
    // The position before the last move of the main line.
    let mut before = game.start().clone();
    let wanted = cut.is_some();
    let mut token = first;
    loop {
        let offset = token.offset;
        if plies.is_some_and(|plies| game.moves().len() >= plies) {
            skip_game(lexer, token);
            return Ok(MovesEnd::Plies);
        }
        match token.kind {
            TokenKind::Open => {
                if wanted && open.len() == MAX_NESTED_VARIATIONS {
                    return Err(lexer.unexpected(offset, "`(`", "at most 64 variations in one another"));
                }
                let (around, at) = match open.last() {
                    Some(line) => (line.read.moves.len(), line.at.as_ref().map(|[before, _]| before)),
                    None => (game.moves().len(), Some(&before)),
                };
                let at = at.filter(|_| wanted && around > 0).map(|at| [at.clone(), at.clone()]);
                let read = Variation { ply: around.saturating_sub(1), moves: Vec::new(), variations: Vec::new() };
                open.push(OpenVariation { offset, read, at });
            }
            TokenKind::Close => {
                let Some(closed) = open.pop() else {
                    return Err(lexer.unexpected(offset, "`)`", "a move or a result: no variation is open"));
                };
                if !closed.read.moves.is_empty() {
                    open.last_mut().map_or(&mut game.variations, |line| &mut line.read.variations).push(closed.read);
                }
            }
            TokenKind::Comment(text) if open.is_empty() => game.add_comment(text),
            TokenKind::Word(word) => {
                if let Some(variation) = open.last_mut() {
                    let is_cut = !variation.read_word(word);
                    if let Some(cut) = cut.as_deref_mut() {
                        *cut += usize::from(is_cut);
                    }
                } else if let Some(marker) = Marker::read(word) {
                    return Ok(MovesEnd::Marker(offset, marker));
                } else {
                    let played = game.moves().len();
                    let end = wanted.then(|| game.end().clone());
                    read_word(lexer, offset, word, game)?;
                    before = end.filter(|_| game.moves().len() > played).unwrap_or(before);
                }
            }
            TokenKind::Tag(_) => return Err(lexer.unexpected(offset, "a tag", "a move or a result")),
            TokenKind::End => {
                return match open.first() {
                    Some(first) => Err(lexer.unexpected(first.offset, "an unterminated variation", "`)`")),
                    None if !game.moves().is_empty() => Ok(MovesEnd::NoMarker),
                    None if lexer.is_followed_by_event() => {
                        let name = "Event".to_owned();
                        Err(lexer.error(offset, PgnErrorKind::DuplicateTag { name }))
                    }
                    None => Err(lexer.unexpected(
                        offset,
                        "the end of the game",
                        "a move or a result (`1-0`, `0-1`, `1/2-1/2`, `*`)",
                    )),
                };
            }
            TokenKind::Comment(_) | TokenKind::Glyph => {}
        }
        token = lexer.next_token()?;
    }
}

/// Skips to the end of a game: its termination marker, or the end of the chunk. A fault leaves the
/// rest of the chunk unread.
fn skip_game<'t>(lexer: &mut Lexer<'t>, first: Token<'t>) {
    let mut depth = 0_usize;
    let mut kind = first.kind;
    loop {
        match kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Word(word) if depth == 0 && Marker::read(word).is_some() => return,
            TokenKind::End => return,
            _ => {}
        }
        match lexer.next_token() {
            Ok(token) => kind = token.kind,
            Err(_) => return lexer.skip_to_end(),
        }
    }
}

/// Reads a word of the main line: a move, a move number, both, or an annotation.
fn read_word(lexer: &Lexer<'_>, at: usize, word: &str, game: &mut PgnGame) -> Result<(), PgnError> {
    let text = strip_move_number(word);
    if text.trim_matches(['!', '?']).is_empty() {
        return Ok(());
    }
    if text == "e.p." {
        if matches!(game.moves().last(), Some(Move::EnPassant { .. })) {
            return Ok(());
        }
        let (found, earlier) =
            ("`e.p.`".to_owned(), "the move before it, which does not capture en passant".to_owned());
        return Err(lexer.error(at, PgnErrorKind::Contradiction { found, earlier }));
    }
    match parse_move(game.end(), text) {
        Ok(mv) => {
            game.push(mv);
            Ok(())
        }
        Err(error) => {
            let at = at + word.len() - text.len();
            Err(lexer.error(at, PgnErrorKind::Move { number: game.end().fullmove_number(), error }))
        }
    }
}

/// Strips a leading move number and its dots; a number alone leaves nothing.
fn strip_move_number(word: &str) -> &str {
    let text = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if text.is_empty() || text.starts_with('.') { text.trim_start_matches('.') } else { word }
}
