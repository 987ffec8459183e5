//! A validated game definition: all data of a game that both move generators need.

use serde::{Deserialize, Serialize};

use super::board::Board;
use super::color::{ByColor, Color};
use super::movement::{Delta, Movement, Path, PathKind};
use super::outcome::Points;
use super::piece::{Kind, Piece};
use super::rights::{Right, RightKind, Rights};
use super::square::{Square, SquareSet};

/// Class of a kind: determines royalty, pawn rules and the points of a material count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceClass {
    /// The royal piece: at most one kind, with exactly one piece per side.
    King,
    /// Royal in any number: none of these pieces may be left attacked.
    Royal,
    /// The game's pawn: exactly one kind.
    Pawn,
    /// A major piece in a material count.
    Major,
    /// Between major and minor in a material count: the rook.
    Average,
    /// A minor piece in a material count.
    Minor,
    /// Imitates the piece last moved by the opponent: at most one kind.
    Joker,
    /// Any other piece: a definition does not name this class.
    #[serde(skip_deserializing)]
    Piece,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindDef {
    /// Lower-case name (`queen`).
    #[serde(skip)]
    pub name: String,
    /// Upper-case letter used in FEN, SAN and promotions; with a `+` before it for a promoted kind.
    pub letter: char,
    /// Movement as XBetza text; empty for the joker.
    pub betza: String,
    /// Movement parsed from [`KindDef::betza`].
    #[serde(skip)]
    pub movement: Movement,
    /// Role in the rules.
    pub class: PieceClass,
    /// Squares that the movement can lead to, if not all: a palace, or one side of a river.
    pub zone: Option<ByColor<SquareSet>>,
    /// The only side that can have pieces of this kind; `None` if both can.
    pub side: Option<Color>,
    /// Value published by the inventor, in the inventor's own units.
    #[serde(skip)]
    pub value: Option<f64>,
    /// The same value as the inventor gives it rounded, if at all: a measured value may agree with
    /// either.
    #[serde(skip)]
    pub rounded: Option<f64>,
    /// Bonus published by the inventor for a pair on squares of both colors, in the same units.
    #[serde(skip)]
    pub pair: Option<f64>,
    /// The kind that this one is a promoted copy of. Pawns promote to such copies if promoted
    /// pieces become pawns again when they are captured. A copy has the letter of its kind, with
    /// `~` in a FEN.
    pub copy_of: Option<Kind>,
    /// The kind that a piece of this one becomes again when it is captured: the pawn for a promoted
    /// copy, and for a kind that is written `+X` the kind X.
    pub unpromoted: Option<Kind>,
}

/// Promotion of pieces to the kinds that are written with a `+`, as in shogi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PiecePromotion {
    /// Squares that each side's pieces promote on: by moves that begin or end there.
    pub zones: ByColor<SquareSet>,
    /// True if a piece must promote when it can.
    pub forced: bool,
    /// True if only captures promote.
    pub by_capture: bool,
    /// True if promoted pieces turn back by the same rules.
    pub demotes: bool,
}

/// Captures explode, as in atomic chess: the capturing piece and its neighbors, pawns excepted,
/// vanish with the captured piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explosions {
    /// Kinds that survive explosions, also their own, and do not capture pieces of the same kind.
    pub immune: Vec<Kind>,
}

/// The square on which a move puts a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WallRule {
    /// On any square that is empty after the move, in place of the wall of the move before: the
    /// duck of Duck chess.
    Duck,
    /// On the square that the piece leaves, for good.
    Past,
}

/// Walls: squares that no piece enters. They block lines and are screens of hoppers, as pieces are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Walls {
    /// The wall that each move makes; `None` if moves make none.
    pub rule: Option<WallRule>,
    /// Kinds that become walls on the square where they capture.
    pub petrified: Vec<Kind>,
}

/// Promotion choices on one rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromotionRank {
    /// Rank number as written in square names, counted from the pawn owner's side of the board.
    pub rank: u8,
    /// True if the pawn may stay a pawn. Always false on the last rank.
    pub optional: bool,
    /// Kinds to choose from, in the order of the definition file.
    pub kinds: Vec<Kind>,
}

/// One castling move: the squares of the king and of its partner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CastlingWing {
    pub color: Color,
    /// Home square of the king.
    pub king_from: Square,
    /// Destination of the king.
    pub king_to: Square,
    /// Kind of the partner, the rook in orthodox chess.
    pub partner: Kind,
    /// Home square of the partner.
    pub partner_from: Square,
    /// Destination of the partner: next to the king, on the inner side.
    pub partner_to: Square,
    /// Target of the move in UCI notation: the king's destination, or the partner's home square
    /// where castling is possible [from any file](Castling::from_any_file).
    pub target: Square,
    /// Squares that must be empty apart from king and partner: those between the two and those that
    /// either crosses or lands on.
    pub empty: Vec<Square>,
    /// Squares strictly between the king's home and its destination. None of them may be attacked.
    pub crossed: Vec<Square>,
}

impl CastlingWing {
    /// Returns true if neither king nor partner lands on `square`, so that a piece can be gated
    /// there.
    pub fn vacates(&self, square: Square) -> bool {
        square != self.king_to && square != self.partner_to
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Castling {
    /// All castling moves of the game.
    pub wings: Vec<CastlingWing>,
    /// True if king and partner may begin on any files of their rank, as in Chess960. There is then
    /// a wing for each pair of squares, and a right for each square of a partner: the king,
    /// wherever it is, has not moved while its side has one.
    pub from_any_file: bool,
}

/// Gating: a piece that makes its first move may be replaced on its square by a piece from the
/// pocket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gating {
    /// Kinds that may be in a pocket, at most one piece of each per side.
    pub pocket: Vec<Kind>,
    /// Kinds whose first move allows gating.
    pub movers: Vec<Kind>,
    /// Last move number at which each side may gate.
    pub last_move: ByColor<u32>,
}

/// Whose pocket a captured piece goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Captured {
    #[serde(rename = "capturer")]
    ToCapturer,
    #[serde(rename = "owner")]
    ToOwner,
    /// To neither: only pieces that start in a pocket can be dropped.
    #[serde(rename = "none")]
    Removed,
}

/// Drops: instead of moving, a side may put a piece from its pocket on an empty square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drops {
    /// Kinds that may be in a pocket, in ascending order.
    pub kinds: Vec<Kind>,
    /// Squares on which each kind may be dropped, indexed by kind.
    pub zones: Vec<ByColor<SquareSet>>,
    pub captured: Captured,
    /// True if pieces of these kinds may also be dropped as their promoted kinds.
    pub promoted: bool,
    /// Largest number of unpromoted pawns that a side may have on a file by dropping them.
    pub pawns_per_file: Option<u8>,
    /// True if the drop of a pawn may give checkmate.
    pub pawn_mate: bool,
}

impl Drops {
    /// First and last rank on which a kind may be dropped, numbered as in [`PromotionRank::rank`];
    /// `None` if it never is.
    pub fn ranks(&self, board: &Board, kind: Kind) -> Option<(u8, u8)> {
        board.rank_range(self.zones[kind.index()][Color::White])
    }
}

/// Points for the pieces on the board, counted when repetition or the move rule ends the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MaterialCount {
    pub major: u32,
    /// Points for an average piece (the rook).
    pub average: u32,
    pub minor: u32,
    pub joker: u32,
    /// Points for the joker if the opponent has more major than minor pieces on the board.
    pub joker_against_majors: u32,
    /// Points for a pawn on any other rank than those in `pawn_on_rank`.
    pub pawn: u32,
    /// Points for a pawn on certain ranks, as `(rank, points)`. Ranks are numbered as in
    /// [`PromotionRank::rank`].
    pub pawn_on_rank: Vec<(u8, u32)>,
    /// Smallest lead that decides the game.
    pub lead: u32,
    /// Result for the side that leads.
    pub score: Points,
}

/// A count of moves, as in makruk: a side that is ahead must mate the other within a number of
/// moves, else the game is a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountingRule {
    /// The count against a side that has more than its king ("board's honor"), if there is one.
    pub board: Option<BoardCount>,
    /// Counts against a bare king ("pieces' honor") when no pawn is on the board: sorted lists of
    /// the kinds that the other side must at least have besides the king, with the number of plies.
    /// The smallest number of those that apply is the limit.
    pub armies: Vec<(Vec<Kind>, u32)>,
    /// True if the count against a bare king begins at the number of pieces on the board, otherwise
    /// at zero.
    pub from_pieces: bool,
}

/// The count against a side that has more than its king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BoardCount {
    /// Number of plies.
    pub plies: u32,
    /// Largest number of pieces, with the king, of a side that is counted against. `None`: any
    /// number, but only when no pawn is on the board.
    pub most_pieces: Option<u32>,
}

impl CountingRule {
    /// Number of plies of the count that begins when `waiting` is to move; `None` if none does.
    /// `pieces` are the numbers of pieces of either side, `has` tells whether the other side has so
    /// many pieces of a kind.
    pub fn limit(
        &self,
        waiting: Color,
        pieces: ByColor<u32>,
        has_pawns: bool,
        has: impl Fn(Kind, usize) -> bool,
    ) -> Option<u32> {
        if pieces[!waiting] == 1 {
            return None;
        }
        if pieces[waiting] > 1 {
            let board = self.board?;
            let applies = board.most_pieces.map_or(!has_pawns, |most| pieces[waiting] <= most);
            return applies.then_some(board.plies);
        }
        let is_there = |army: &[Kind]| {
            let mut groups = army.chunk_by(|left, right| left == right);
            groups.all(|group| has(group[0], group.len()))
        };
        let armies = self.armies.iter().filter(|(army, _)| !has_pawns && is_there(army));
        armies.map(|&(_, plies)| plies).min()
    }
}

/// Squares that win the game for a side when its piece reaches them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Goal {
    /// Kind that must reach one of the squares.
    pub kind: Kind,
    /// Squares that each side must reach.
    pub squares: ByColor<SquareSet>,
    /// True if Black has one more move when White has reached its squares: if Black then reaches
    /// its own, the game is drawn.
    pub last_turn: bool,
    /// True if the piece must still be on its square when its side is to move again.
    pub held: bool,
}

/// A side that has lost its pieces of some kind has won or lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Extinction {
    /// The kinds that count, in ascending order. Promoted copies count as their kinds.
    pub kinds: Vec<Kind>,
    /// True if the pieces of all these kinds are counted together, otherwise any one kind decides.
    pub together: bool,
    /// Largest number of pieces that decides.
    pub at_most: u32,
    /// Points for the side that has no more pieces than this: all or none.
    pub score: Points,
}

/// Result of a repetition that no count of material decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepetitionResult {
    Draw,
    WhiteLoses,
    /// The side loses whose move has repeated the position.
    MoverLoses,
}

impl RepetitionResult {
    /// White's points in a position with `side_to_move`.
    pub fn white(self, side_to_move: Color) -> Points {
        match self {
            RepetitionResult::Draw => Points::DRAW,
            RepetitionResult::WhiteLoses => Points::LOSS,
            RepetitionResult::MoverLoses => Points::WIN.for_white(side_to_move),
        }
    }
}

/// How games end other than by checkmate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Endings {
    /// Result for the side that gives stalemate.
    pub stalemate: Points,
    /// Plies without a capture or pawn move that end the game (100 for the fifty-move rule).
    pub move_rule: u32,
    /// Whether a pawn's move begins that count again.
    pub pawn_moves_reset: bool,
    /// Number of occurrences of a position that ends the game.
    pub repetitions: u32,
    /// Armies that cannot win against a bare king: sorted lists of the kinds besides the king.
    pub insufficient_material: Vec<Vec<Kind>>,
    /// Material count at repetition and at the move rule. Without one, the move rule is a draw.
    pub material_count: Option<MaterialCount>,
}

/// Results that some games give otherwise than chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Results {
    /// Result for the side that gives checkmate.
    pub checkmate: Points,
    /// True if stalemate wins for the side with fewer pieces, and is a draw if both have as many.
    pub stalemate_by_count: bool,
    /// White's points for a draw.
    pub draw: Points,
}

impl Default for Results {
    fn default() -> Results {
        Results { checkmate: Points::WIN, stalemate_by_count: false, draw: Points::DRAW }
    }
}

impl Results {
    /// White's points for a result: a draw is worth what the game says.
    pub fn settle(self, white: Points) -> Points {
        if white == Points::DRAW { self.draw } else { white }
    }
}

/// Largest number of checks that a game can ask for.
pub const MAX_CHECKS: u8 = 9;

/// A start position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// Identifier on command lines: a number or a word.
    pub id: String,
    /// Description for people.
    #[serde(skip)]
    pub title: String,
    /// Position as FEN.
    pub fen: String,
}

/// A validated game definition. Its serialization has all that determines which games can be
/// played: not what follows from the rest, and no titles, sources, names of kinds and published
/// values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameDef {
    /// Name used by protocols and on command lines (`chess`).
    pub name: String,
    /// Name for people (`Orthodox chess`).
    #[serde(skip)]
    pub title: String,
    /// Source of the rules and values.
    #[serde(skip)]
    pub source: String,
    pub board: Board,
    /// All kinds; a [`Kind`] is an index into this list.
    pub kinds: Vec<KindDef>,
    /// The royal kind of which each side has one piece, if the game has one.
    pub king: Option<Kind>,
    pub pawn: Kind,
    /// Rank from which pawns make their initial moves, numbered as in [`PromotionRank::rank`].
    pub pawn_home_rank: u8,
    /// True if pawns have their initial moves also on the first rank, behind the home rank. No pawn
    /// is captured en passant there.
    pub first_rank_steps: bool,
    /// Hanging squares on which a pawn of each color can arrive by a capture and stay a pawn.
    pub hanging_pawn_squares: ByColor<SquareSet>,
    /// True if pawns have the cannon capture of Gunnery Chess.
    pub has_pawn_cannon: bool,
    /// Ranks on which pawns promote, in ascending order. The last entry is the pawns' last rank.
    /// May be empty in a game in which pieces promote.
    pub promotion: Vec<PromotionRank>,
    /// Squares on which pawns promote, if not on all of the only rank in `promotion`; some may be
    /// on other ranks.
    pub promotion_squares: Option<ByColor<SquareSet>>,
    /// Kinds to which pawns promote only while their side has fewer than a number of them on the
    /// board.
    pub promotion_limits: Vec<(Kind, u8)>,
    /// Promotion of all kinds that have a promoted one.
    pub piece_promotion: Option<PiecePromotion>,
    /// True if no piece may be put where it could [never move on](Self::is_mobile) without a
    /// capture.
    pub forbids_immobility: bool,
    pub castling: Option<Castling>,
    pub gating: Option<Gating>,
    /// True if a gated piece may not shield the king from a line that the move opens: the move must
    /// be legal without it, too.
    pub forbids_shielding: bool,
    pub drops: Option<Drops>,
    /// The kind that imitates the opponent's last moved piece, if the game has one.
    pub joker: Option<Kind>,
    /// True if the game allows handicap starts, including two moves in a row.
    pub has_handicaps: bool,
    /// True if moves that give check are illegal.
    pub forbids_checks: bool,
    /// True if a side that can capture must do so.
    pub forces_captures: bool,
    pub explosions: Option<Explosions>,
    pub walls: Option<Walls>,
    /// True if the king attacks along its file, so that the two kings must not face each other, as
    /// in xiangqi.
    pub flying_general: bool,
    pub endings: Endings,
    pub results: Results,
    pub repetition_result: RepetitionResult,
    /// True if a side loses by repetition when each of its moves since the first occurrence has
    /// given check.
    pub perpetual_check_loses: bool,
    pub goal: Option<Goal>,
    /// Number of checks that a side must give to win, at most [`MAX_CHECKS`].
    pub checks: Option<u8>,
    /// True if a bare king loses: at once against a king with two pieces or more, else unless the
    /// next move leaves the other king bare, too.
    pub bare_king_loses: bool,
    pub extinction: Option<Extinction>,
    pub counting: Option<CountingRule>,
    /// All rights of unmoved pieces; each is one bit of [`Rights`](super::rights::Rights).
    #[serde(skip)]
    pub rights: Vec<Right>,
    pub starts: Vec<Start>,
    /// Index in `starts` of the default start position.
    pub default_start: usize,
}

impl GameDef {
    pub fn kind(&self, kind: Kind) -> &KindDef {
        &self.kinds[kind.index()]
    }

    /// Returns true if pieces of this kind must not be left attacked, and cannot be captured.
    pub fn is_royal(&self, kind: Kind) -> bool {
        matches!(self.kind(kind).class, PieceClass::King | PieceClass::Royal)
    }

    /// Returns true if a side can have pieces of this kind.
    pub fn may_own(&self, color: Color, kind: Kind) -> bool {
        self.kind(kind).side.is_none_or(|side| side == color)
    }

    /// The kind without which a side has lost: the king, or the only kind whose extinction decides.
    pub fn vital_kind(&self) -> Option<Kind> {
        let extinct = self.extinction.as_ref().filter(|rule| rule.kinds.len() == 1);
        self.king.or(extinct.map(|rule| rule.kinds[0]))
    }

    /// Returns true if each position has a king of this side.
    pub fn has_king(&self, color: Color) -> bool {
        self.king.is_some_and(|king| self.may_own(color, king))
    }

    /// Returns true if pawns have their initial moves on a rank, numbered as in
    /// [`PromotionRank::rank`].
    pub fn is_home_rank(&self, rank: u8) -> bool {
        rank == self.pawn_home_rank || self.first_rank_steps && rank == self.board.first_rank()
    }

    /// The kind that castles: the king, or another piece in its place.
    pub fn castling_king(&self) -> Option<Kind> {
        self.castling.as_ref()?;
        self.all_kinds().find(|&kind| self.kind(kind).movement.castling.is_some())
    }

    /// Returns true if a side without legal moves can have won.
    pub fn can_win_without_moves(&self) -> bool {
        let Results { checkmate, stalemate_by_count, draw } = self.results;
        let is_lost = checkmate == Points::LOSS || self.endings.stalemate == Points::LOSS;
        is_lost || stalemate_by_count || draw != Points::DRAW
    }

    /// Returns true if a game has kinds that are royal in any number.
    pub fn has_several_royals(&self) -> bool {
        self.kinds.iter().any(|kind| kind.class == PieceClass::Royal)
    }

    /// All kinds, in the order of the definition.
    pub fn all_kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        (0..self.kinds.len() as u8).map(Kind)
    }

    /// Finds a kind by its letter, in either case; never a promoted one.
    pub fn kind_by_letter(&self, letter: char) -> Option<Kind> {
        let upper = letter.to_ascii_uppercase();
        let mut unpromoted = self.all_kinds().filter(|&kind| self.kind(kind).unpromoted.is_none());
        unpromoted.find(|&kind| self.kind(kind).letter == upper)
    }

    /// Reads a kind at the beginning of a text: its letter, with a `+` before it if it is promoted.
    /// Returns the kind and the rest.
    pub fn parse_kind<'t>(&self, text: &'t str) -> Option<(Kind, &'t str)> {
        let letters = text.strip_prefix('+').unwrap_or(text);
        let letter = letters.chars().next()?;
        let kind = self.kind_by_letter(letter)?;
        let promotes = letters.len() < text.len();
        let kind = if promotes { self.promoted(kind)? } else { kind };
        Some((kind, &letters[letter.len_utf8()..]))
    }

    /// Letter of a kind in FEN: upper case for White, lower case for Black.
    pub fn letter(&self, kind: Kind, color: Color) -> char {
        color.case(self.kind(kind).letter)
    }

    /// The letter of a kind, after a `+` for a promoted kind. A copy is written like its kind.
    pub fn symbol(&self, kind: Kind, color: Color) -> String {
        let is_promoted = self.kind(self.original(kind)).unpromoted.is_some();
        let plus = if is_promoted { "+" } else { "" };
        format!("{plus}{}", self.letter(kind, color))
    }

    /// What a promotion to a kind adds to a UCI move: `+` for a promoted kind, `-` for the demotion
    /// to one that promotes, else the kind's letter.
    pub fn promotion_suffix(&self, kind: Kind) -> char {
        let def = self.kind(kind);
        let demotes = self.piece_promotion.as_ref().is_some_and(|rule| rule.demotes);
        match (def.unpromoted, def.copy_of) {
            (Some(_), None) => '+',
            (None, _) if demotes && self.promoted(kind).is_some() => '-',
            _ => def.letter.to_ascii_lowercase(),
        }
    }

    /// Letters of all unpromoted kinds, in the order of the definition.
    pub fn letters(&self) -> String {
        let kinds = self.kinds.iter().filter(|kind| kind.unpromoted.is_none());
        kinds.map(|kind| kind.letter).collect()
    }

    /// The kind itself, or for a promoted copy the kind that it is a copy of.
    pub fn original(&self, kind: Kind) -> Kind {
        self.kind(kind).copy_of.unwrap_or(kind)
    }

    /// The promoted copy of a kind, if there is one.
    pub fn promoted_copy(&self, kind: Kind) -> Option<Kind> {
        self.all_kinds().find(|&copy| self.kind(copy).copy_of == Some(kind))
    }

    /// The kind itself, or for a promoted one the kind that it becomes in a pocket.
    pub fn unpromoted(&self, kind: Kind) -> Kind {
        self.kind(kind).unpromoted.unwrap_or(kind)
    }

    /// The kind that is written like this one after a `+`.
    pub fn promoted(&self, kind: Kind) -> Option<Kind> {
        let is_promoted = |other: &KindDef| other.unpromoted == Some(kind) && other.copy_of.is_none();
        self.all_kinds().find(|&other| is_promoted(self.kind(other)))
    }

    /// The kind that a piece becomes by [promotion](GameDef::piece_promotion), or, if the game has
    /// it, by demotion.
    pub fn turned(&self, kind: Kind) -> Option<Kind> {
        let rule = self.piece_promotion.as_ref()?;
        let def = self.kind(kind);
        let back = def.unpromoted.filter(|_| rule.demotes && def.copy_of.is_none());
        self.promoted(kind).or(back)
    }

    /// Returns true if the movement of a kind can lead to a square.
    pub fn may_enter(&self, kind: Kind, color: Color, square: Square) -> bool {
        let zone = self.kind(kind).zone.as_ref();
        zone.is_none_or(|zone| zone[color].contains(square))
    }

    /// Returns true if a piece that has moved could move on from a square without a capture, on
    /// some board. Its zone does not count.
    pub fn is_mobile(&self, kind: Kind, color: Color, square: Square) -> bool {
        let mut paths = self.kind(kind).movement.paths.iter().filter(|path| path.modality.moves && !path.initial);
        Some(kind) == self.joker || paths.any(|path| self.board.step(square, path.delta, color).is_some())
    }

    /// Kinds that may be in a pocket, in ascending order; empty in games without pockets.
    pub fn pocket_kinds(&self) -> &[Kind] {
        let gating = self.gating.as_ref().map(|gating| &gating.pocket[..]);
        let drops = self.drops.as_ref().map(|drops| &drops.kinds[..]);
        gating.or(drops).unwrap_or_default()
    }

    /// Returns true for a game with explosions in which pieces of this kind survive them.
    pub fn is_immune(&self, kind: Kind) -> bool {
        self.explosions.as_ref().is_some_and(|rule| rule.immune.contains(&kind))
    }

    /// The wall that each move makes.
    pub fn wall_rule(&self) -> Option<WallRule> {
        self.walls.as_ref()?.rule
    }

    /// Returns true if pieces of this kind become walls when they capture.
    pub fn is_petrified(&self, kind: Kind) -> bool {
        let walls = self.walls.as_ref();
        walls.is_some_and(|walls| walls.petrified.contains(&self.original(kind)))
    }

    /// The piece that a captured piece becomes in a pocket, with the pocket's owner. `None` if it
    /// goes to no pocket.
    pub fn pocketed(&self, captured: Piece) -> Option<Piece> {
        let drops = self.drops.as_ref()?;
        let color = match drops.captured {
            Captured::ToCapturer => !captured.color,
            Captured::ToOwner => captured.color,
            Captured::Removed => return None,
        };
        let kind = self.unpromoted(captured.kind);
        drops.kinds.contains(&kind).then_some(Piece { color, kind })
    }

    /// Returns true if captured pieces can be dropped, so that a capture can be undone.
    pub fn captures_return(&self) -> bool {
        self.drops.as_ref().is_some_and(|drops| drops.captured != Captured::Removed)
    }

    /// The pawns' last rank, numbered as in [`PromotionRank::rank`].
    pub fn last_rank(&self) -> u8 {
        self.promotion.last().map_or(self.board.first_rank() + self.board.ranks() - 1, |last| last.rank)
    }

    /// The lowest rank on which a pawn can be, numbered as in [`PromotionRank::rank`]. Where pawns
    /// begin on the second rank, none can ever be on the first, unless they can be dropped there,
    /// or pieces turn back into pawns. Where they begin further up, a setup may have pawns behind
    /// their home rank.
    pub fn first_pawn_rank(&self) -> u8 {
        let first = self.board.first_rank();
        let is_dropped_there = || {
            let zone = self.drops.as_ref().map(|drops| drops.zones[self.pawn.index()][Color::White]);
            let rank = |square| self.board.relative_rank(Color::White, square);
            zone.is_some_and(|zone| zone.iter().any(|square| rank(square) == first))
        };
        let is_turned_back = self.piece_promotion.as_ref().is_some_and(|rule| rule.demotes);
        if self.pawn_home_rank == first + 1 && !self.first_rank_steps && !is_turned_back && !is_dropped_there() {
            self.pawn_home_rank
        } else {
            first
        }
    }

    /// Promotion choices of a side's pawn on a square.
    pub fn promotion_on(&self, color: Color, square: Square) -> Option<&PromotionRank> {
        let rank = self.board.relative_rank(color, square);
        let promotes = |promotion: &&PromotionRank| match &self.promotion_squares {
            Some(squares) => squares[color].contains(square),
            None => promotion.rank == rank,
        };
        self.promotion.iter().find(promotes)
    }

    /// The lowest rank on which pawns promote, numbered as in [`PromotionRank::rank`]; that beyond
    /// the board if they never do.
    pub fn first_promotion_rank(&self) -> u8 {
        let promotes = |&square: &Square| self.promotion_on(Color::White, square).is_some();
        let ranks = self.board.rank_range(self.board.squares().filter(promotes).collect());
        ranks.map_or(self.board.first_rank() + self.board.ranks(), |(low, _)| low)
    }

    /// Returns true if double steps in different directions can pass over the same square, as with
    /// Berolina pawns. The square passed over then does not identify the pawn that can be captured
    /// en passant.
    pub fn double_step_is_ambiguous(&self) -> bool {
        self.kind(self.pawn).movement.paths.iter().filter(|path| path.passed_offset().is_some()).count() > 1
    }

    /// Returns true if no piece moves to its left otherwise than to its right. Black's movement is
    /// White's turned by 180 degrees; only in such a game is it also White's with the ranks
    /// mirrored.
    pub fn is_left_right_symmetric(&self) -> bool {
        self.kinds.iter().all(|kind| kind.movement.is_left_right_symmetric())
    }

    pub fn has_en_passant(&self) -> bool {
        let paths = &self.kind(self.pawn).movement.paths;
        paths.iter().any(|path| path.passed_offset().is_some()) && paths.iter().any(|path| path.modality.en_passant)
    }

    /// Returns true for a double step: a pawn's move that leaves a right to capture the pawn en
    /// passant.
    pub fn is_double_step(&self, kind: Kind, path: &Path) -> bool {
        kind == self.pawn && path.passed_offset().is_some() && self.has_en_passant()
    }

    /// Returns true if pawn moves can be undone by other moves: those in opposite directions, or
    /// promoted pawns that turn back. Captures, other promotions and all other pawn moves are
    /// irreversible.
    pub fn has_reversible_pawns(&self) -> bool {
        let paths = || {
            let paths = self.kind(self.pawn).movement.paths.iter();
            paths.filter(|path| path.modality.moves).map(|path| (path.delta.file, path.delta.rank))
        };
        let turns_back = self.turned(self.pawn).and_then(|kind| self.turned(kind)).is_some();
        turns_back || paths().any(|(file, rank)| paths().any(|back| back == (-file, -rank)))
    }

    /// Returns true if another move without capture can undo such a move of a pawn, on an empty
    /// board.
    pub fn can_pawn_return(&self, color: Color, from: Square, to: Square) -> bool {
        let sign = if color == Color::White { 1 } else { -1 };
        let distance = |to: u8, from: u8| sign * (i16::from(from) - i16::from(to));
        let (board, paths) = (&self.board, &self.kind(self.pawn).movement.paths);
        let back = (distance(board.file(to), board.file(from)), distance(board.rank(to), board.rank(from)));
        paths.iter().filter(|path| path.modality.moves && !path.initial).any(|path| {
            let steps = if matches!(path.kind, PathKind::Ride { .. }) { 16 } else { 1 };
            let (file, rank) = (i16::from(path.delta.file), i16::from(path.delta.rank));
            (1..=steps).any(|step| back == (step * file, step * rank))
        })
    }

    /// Rights to gate of the pieces that have a right to castle.
    pub fn rights_implied_by_castling(&self, rights: Rights) -> Rights {
        let mut castling = SquareSet::EMPTY;
        for right in rights.iter().map(|index| &self.rights[index]) {
            if matches!(right.kind, RightKind::Castle(_)) {
                castling = castling.union(right.squares);
            }
        }
        let mut implied = Rights::EMPTY;
        for (index, right) in self.rights.iter().enumerate() {
            if matches!(right.kind, RightKind::Gate(square) if castling.contains(square)) {
                implied.insert(index);
            }
        }
        implied
    }

    pub fn start(&self, id: &str) -> Option<&Start> {
        self.starts.iter().find(|start| start.id == id)
    }

    /// The inventor's value of a kind, in units of the inventor's pawn.
    pub fn value_in_pawns(&self, kind: Kind) -> Option<f64> {
        Some(self.kind(kind).value? / self.kind(self.pawn).value?)
    }

    /// The inventor's bonus for a pair of a kind, in units of the inventor's pawn.
    pub fn pair_in_pawns(&self, kind: Kind) -> Option<f64> {
        Some(self.kind(kind).pair? / self.kind(self.pawn).value?)
    }

    /// Returns true if a piece of this kind never leaves squares of one color. False for a kind
    /// without paths, such as the joker.
    pub fn is_color_bound(&self, kind: Kind) -> bool {
        let paths = &self.kind(kind).movement.paths;
        let keeps_color = |delta: Delta| (i16::from(delta.file) + i16::from(delta.rank)) % 2 == 0;
        !paths.is_empty() && paths.iter().all(|path| keeps_color(path.delta))
    }

    /// Returns true if unmoved pieces of this kind, other than pawns, have additional moves.
    pub fn has_initial_moves(&self, kind: Kind) -> bool {
        kind != self.pawn && self.kind(kind).movement.paths.iter().any(|path| path.initial)
    }
}
