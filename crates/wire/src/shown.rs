//! Names and texts of others, fit to be shown.
//!
//! What a peer calls itself or its methods ends up in logs, in reasons that
//! other peers are given, and before a model. There it must not break a line,
//! steer a terminal, turn the direction of what follows, or hide something.

/// Longest name that is shown, in characters.
const MAX_NAME: usize = 120;

/// A name of a peer, an application, a method or the like, on one line.
#[must_use]
pub fn shown_name(name: &str) -> String {
    excerpt(name, MAX_NAME)
}

/// Text on one line: without characters that show nothing or change how others
/// show, with a space for every line end and tab, and its first `limit`
/// characters, with `…` behind them where something was cut off.
#[must_use]
pub fn excerpt(text: &str, limit: usize) -> String {
    let mut before = None;
    let visible = text.chars().filter_map(move |character| {
        let seen = match character {
            space if space.is_whitespace() => ' ',
            hidden if is_hidden(before, hidden) => return None,
            seen => seen,
        };
        before = Some(seen);
        Some(seen)
    });
    let mut visible = visible.skip_while(|character| *character == ' ');
    let mut short: String = visible.by_ref().take(limit).collect();
    if visible.any(|character| character != ' ') {
        short.push('…');
    }
    short.truncate(short.trim_end().len());
    short
}

/// Whether a character shows nothing where it stands, or changes how what follows
/// shows. Line ends are such, too. `before` is the last character that was seen:
/// one selector of the coloured form belongs to a symbol, but a row of selectors
/// can spell out a hidden text.
#[must_use]
pub fn is_hidden(before: Option<char>, character: char) -> bool {
    match character {
        '\u{fe0e}' | '\u{fe0f}' => !before.is_some_and(has_forms),
        '\u{fe00}'..='\u{fe0d}' => true,
        other => is_invisible(other),
    }
}

/// Whether a character may be shown as text and as a coloured symbol.
fn has_forms(character: char) -> bool {
    matches!(character,
        '#' | '*' | '0'..='9' | '\u{a9}' | '\u{ae}'
        | '\u{203c}'..='\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_on_one_line_and_as_they_are() {
        for (name, expected) in [
            ("clients", "clients"),
            ("Größe ändern 🙂", "Größe ändern 🙂"),
            ("  a\tb\u{a0}c ", "a b c"),
            ("a\nERROR forged", "a ERROR forged"),
            ("a\r\u{2028}\u{85}b", "a   b"),
            ("\u{1b}[31mred\u{1b}[0m", "[31mred[0m"),
            ("\u{202e}stneilc\u{2066}", "stneilc"),
            ("cli\u{200b}en\u{feff}ts\u{e0041}", "clients"),
            ("\u{200b}\n", ""),
            ("☀\u{fe0f} 1\u{fe0f}\u{20e3}", "☀\u{fe0f} 1\u{fe0f}\u{20e3}"),
            ("☀\u{fe0f}\u{fe0f}\u{fe01}", "☀\u{fe0f}"),
            ("a\u{fe00}\u{fe0f}b", "ab"),
            ("", ""),
            ("12345678", "12345678"),
            ("12345678 ", "12345678"),
            ("123456789", "12345678…"),
        ] {
            let limit = if name.starts_with('1') { 8 } else { 120 };
            assert_eq!(excerpt(name, limit), expected, "{name:?}");
        }
        assert_eq!(shown_name(&"ä".repeat(1_000)).chars().count(), 121);
    }
}
