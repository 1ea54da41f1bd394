//! Several repeats of one figure, in short: median, least and most.

use std::fmt;

/// Median and range of a figure over the repeats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Spread {
    /// `None` of no figures at all.
    pub(super) fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median = match sorted.len() % 2 {
            0 => (sorted.get(middle.checked_sub(1)?)? + sorted.get(middle)?) / 2.0,
            _ => *sorted.get(middle)?,
        };
        Some(Self { median, least: *sorted.first()?, most: *sorted.last()? })
    }

    /// How many times `upper` is of `lower`, repeat by repeat.
    pub(super) fn of_ratios(upper: &[f64], lower: &[f64]) -> Option<Self> {
        Self::of(upper.iter().zip(lower).map(|(upper, lower)| upper / lower))
    }
}

/// `6.2 (5.9–6.8)`
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}–{})", short(self.median), short(self.least), short(self.most))
    }
}

/// Three digits that mean something: `0.481`, `5.02`, `71.9`, `2 340`, `31 200`.
pub(super) fn short(figure: f64) -> String {
    if figure == 0.0 || !figure.is_finite() {
        return format!("{figure}");
    }
    let magnitude = figure.abs().log10().floor() as i32;
    if magnitude < 2 {
        return format!("{figure:.*}", (2 - magnitude).clamp(0, 4) as usize);
    }
    let step = 10_f64.powi(magnitude - 2);
    grouped(((figure / step).round() * step) as i64)
}

fn grouped(number: i64) -> String {
    let digits = number.abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_range() {
        for (figures, median, least, most) in [
            (&[3.0, 1.0, 2.0][..], 2.0, 1.0, 3.0),
            (&[4.0, 1.0, 2.0, 3.0], 2.5, 1.0, 4.0),
            (&[7.0], 7.0, 7.0, 7.0),
        ] {
            let spread = Spread::of(figures.iter().copied()).unwrap();
            assert_eq!(spread, Spread { median, least, most });
        }
        assert_eq!(Spread::of([]), None);
    }

    #[test]
    fn ratios_are_of_the_same_repeat() {
        let spread = Spread::of_ratios(&[10.0, 30.0, 20.0], &[1.0, 10.0, 4.0]).unwrap();
        assert_eq!(spread, Spread { median: 5.0, least: 3.0, most: 10.0 });
    }

    #[test]
    fn figures_are_as_long_as_they_are_true() {
        for (figure, text) in [
            (0.0, "0"),
            (0.04567, "0.0457"),
            (0.4812, "0.481"),
            (5.0234, "5.02"),
            (71.94, "71.9"),
            (481.4, "481"),
            (2_343.0, "2 340"),
            (31_249.0, "31 200"),
            (1_234_567.0, "1 230 000"),
        ] {
            assert_eq!(short(figure), text);
        }
    }
}
