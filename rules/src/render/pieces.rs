//! Pictures of pieces as SVG paths, without fonts, gradients or identifiers.
//!
//! The pictures are data, `pieces.txt`. A line `piece` has the names and XBetza movements that a
//! picture stands for. Each line below it is a layer in a box of 100 by 100 units, the lower ones
//! first: `body` is filled and outlined, `line` and `solid` are details, `shine` is a line on dark
//! pieces only, and `letter` says where the piece's letter stands (x, y and scale), if it has one.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::glyphs;
use crate::types::color::Color;
use crate::types::movement::PathKind;
use crate::types::piece::{Kind, Piece};
use crate::variant::GameDef;
use crate::variant::kinds::PieceClass;

/// Pictures by each of their names and movements.
static PICTURES: LazyLock<HashMap<&'static str, Picture>> = LazyLock::new(|| {
    let blocks = include_str!("pieces.txt").split("piece ").filter_map(|block| block.split_once('\n'));
    let named = blocks.flat_map(|(names, layers)| {
        let name = names.split_whitespace().next().unwrap_or_default();
        names.split_whitespace().map(move |alias| (alias, Picture { name, layers }))
    });
    named.collect()
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Picture {
    name: &'static str,
    layers: &'static str,
}

/// A sign on a disc, which a game adds to a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    name: &'static str,
    disc: &'static str,
    sign: &'static str,
}

/// A promoted piece, written `+X`.
const PROMOTED: Mark = Mark { name: "-promoted", disc: "#b3261e", sign: "M80 10H84V16H90V20H84V26H80V20H74V16H80Z" };
/// A promoted pawn, written `X~`.
const COPY: Mark = Mark { name: "-copy", disc: "#b3261e", sign: "M73 20Q77 11 82 16T91 14V17Q87 26 82 21T73 24Z" };
/// A royal piece that does not look like a king.
const ROYAL: Mark = Mark { name: "-royal", disc: "#d9a520", sign: "M74 24V13L78 17L82 10L86 17L90 13V24Z" };

/// How a piece looks.
#[derive(Debug)]
pub(super) struct Look {
    color: Color,
    picture: Picture,
    mark: Option<Mark>,
    letter: Option<char>,
}

impl Look {
    pub(super) fn new(game: &GameDef, piece: Piece) -> Look {
        let seen = |kind: Kind| {
            let picture = picture(game, kind);
            (picture, mark(game, kind, picture))
        };
        let (picture, mark) = seen(piece.kind);
        let is_other = |&kind: &Kind| game.kinds.original(kind) != game.kinds.original(piece.kind);
        let is_shared = game.kinds.all().filter(is_other).any(|other| seen(other) == (picture, mark));
        let has_letter = is_shared || picture.layers.contains("letter");
        Look { color: piece.color, picture, mark, letter: has_letter.then(|| game.kind(piece.kind).letter) }
    }

    /// Color, picture, mark and letter, as an identifier. Pieces with the same one look alike.
    pub(super) fn id(&self) -> String {
        let color = self.color.to_string().to_lowercase();
        let mark = self.mark.map_or("", |mark| mark.name);
        let letter = self.letter.map_or_else(String::new, |letter| format!("-{letter}"));
        format!("assay-{color}-{}{mark}{letter}", self.picture.name)
    }

    /// The drawing in a box of 100 by 100 units. With `rim`, dark pieces have a light rim that
    /// shows them on a dark ground.
    pub(super) fn draw(&self, rim: bool) -> String {
        let (fill, edge, ink) = match self.color {
            Color::White => ("#fffdf7", "#2c2f36", "#2c2f36"),
            Color::Black => ("#343a44", "#15171b", "#efe9db"),
        };
        let layers = || self.picture.layers.lines().filter_map(|layer| layer.split_once(' '));
        let mut text = format!(
            "<g fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"4.5\" stroke-linejoin=\"round\" stroke-linecap=\"round\">"
        );
        if rim && self.color == Color::Black {
            let bodies: String = layers().filter(|layer| layer.0 == "body").map(|layer| layer.1).collect();
            text += &format!("<path stroke=\"{ink}\" stroke-width=\"8\" d=\"{bodies}\"/>");
        }
        let mut letter_place = None;
        for (layer, data) in layers() {
            text += &match layer {
                "body" => format!("<path d=\"{data}\"/>"),
                "solid" => format!("<path fill=\"{ink}\" stroke=\"none\" d=\"{data}\"/>"),
                "shine" if self.color == Color::White => continue,
                "line" | "shine" => format!("<path fill=\"none\" stroke=\"{ink}\" stroke-width=\"3.6\" d=\"{data}\"/>"),
                _ => {
                    letter_place = Some(data);
                    continue;
                }
            };
        }
        if let Some(Mark { disc, sign, .. }) = self.mark {
            text += &format!(
                "<circle cx=\"82\" cy=\"18\" r=\"14\" fill=\"{disc}\" stroke-width=\"3\"/>\
                 <path fill=\"#fff\" stroke=\"none\" d=\"{sign}\"/>"
            );
        }
        if let Some(letter) = self.letter {
            if letter_place.is_none() {
                text += "<circle cx=\"18\" cy=\"18\" r=\"15\" stroke-width=\"3\"/>";
            }
            let place = letter_place.unwrap_or("18 18 1.35").split(' ').filter_map(|number| number.parse().ok());
            let place: Vec<f64> = place.collect();
            text += &glyphs::draw(&letter.to_string(), place[0], place[1], place[2], ink);
        }
        text + "</g>\n"
    }
}

/// The picture of a kind: by its name, by its name without the first word, by its movement, or else
/// a plate whose shape says what the piece does.
fn picture(game: &GameDef, kind: Kind) -> Picture {
    let def = game.kind(game.kinds.original(kind));
    let paths = &def.movement.paths;
    let noun = def.name.split_once(['-', ' ']).map_or(def.name.as_str(), |(_, noun)| noun);
    let moves_straight = || paths.iter().any(|path| path.modality.moves && !path.initial && path.delta.file == 0);
    if def.class == PieceClass::Pawn && noun == "pawn" && !moves_straight() {
        return PICTURES["berolina-pawn"];
    }
    let named = [def.name.as_str(), noun, &def.betza].into_iter().find_map(|name| PICTURES.get(name));
    named.copied().unwrap_or_else(|| {
        let hops =
            |kind: &PathKind| matches!(kind, PathKind::HopLeap { .. } | PathKind::HopRide { .. } | PathKind::Grasshop);
        let rides = |kind: &PathKind| matches!(kind, PathKind::Ride { .. });
        let does = |what: fn(&PathKind) -> bool| paths.iter().any(|path| what(&path.kind));
        let shape = match def.class {
            PieceClass::King | PieceClass::Royal => "royal",
            PieceClass::Pawn => "pawn-like",
            PieceClass::Joker => "joker",
            _ if does(hops) => "hopper",
            _ if !does(rides) => "leaper",
            _ if paths.iter().all(|path| rides(&path.kind)) => "rider",
            _ => "compound",
        };
        PICTURES[shape]
    })
}

fn mark(game: &GameDef, kind: Kind, picture: Picture) -> Option<Mark> {
    let def = game.kind(kind);
    match (def.copy_of, def.unpromoted) {
        (Some(_), _) => Some(COPY),
        (None, Some(_)) => Some(PROMOTED),
        (None, None) => (game.kinds.is_royal(kind) && !matches!(picture.name, "king" | "royal")).then_some(ROYAL),
    }
}
