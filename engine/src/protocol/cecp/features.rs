//! The reply to `protover`: `feature` lines.

use crate::protocol::ENGINE_NAME;
use crate::protocol::options::{OptionType, Options};

pub(super) fn feature_lines(options: &Options) -> Vec<String> {
    let mut lines = vec![
        "feature done=0".to_owned(),
        format!("feature myname=\"{ENGINE_NAME}\""),
        "feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=1 sigint=0 sigterm=0 reuse=1".to_owned(),
        "feature analyze=1 colors=0 ics=0 name=0 pause=0 nps=0 debug=1 memory=1 smp=1 highlight=1".to_owned(),
        variants_line(options),
    ];
    lines.extend(options.list().iter().filter_map(|(name, kind)| option_line(name, kind)));
    lines.push("feature done=1".to_owned());
    lines
}

/// Formats the list of variants. Games with cannon pawns can be selected but are not listed: a pawn
/// that captures by cannon disappears with its target, which GUIs cannot show. Nor are games that
/// count checks, whose FENs have a field more, and games in which each move makes a wall, which
/// programs write in several ways.
pub(super) fn variants_line(options: &Options) -> String {
    let games = options.variants();
    let names: Vec<&str> = games
        .iter()
        .filter(|game| {
            game.mechanisms.cannon.is_none() && game.mechanisms.check_count.is_none() && game.wall_rule().is_none()
        })
        .map(|game| if game.name == "chess" { "normal" } else { &game.name })
        .collect();
    format!("feature variants=\"{}\"", names.join(","))
}

/// Formats an option; `None` if CECP has a command for it.
fn option_line(name: &str, kind: &OptionType) -> Option<String> {
    if matches!(
        name,
        "Hash" | "Threads" | "Ponder" | "UCI_Variant" | "UCI_Chess960" | "UCI_ShowWDL" | "UCI_AnalyseMode"
    ) {
        return None;
    }
    let kind = match kind {
        OptionType::Spin(default, min, max) => format!("-spin {default} {min} {max}"),
        OptionType::Check(default) => format!("-check {}", u8::from(*default)),
        OptionType::Button => "-button".to_owned(),
        OptionType::Combo(default, choices) => {
            let mark = |choice: &String| format!("{}{choice}", if choice == default { "*" } else { "" });
            format!("-combo {}", choices.iter().map(mark).collect::<Vec<_>>().join(" /// "))
        }
        OptionType::File => "-file ".to_owned(),
    };
    Some(format!("feature option=\"{name} {kind}\""))
}
