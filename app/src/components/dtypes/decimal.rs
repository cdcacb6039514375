//! Doubles as text: as `torch.finfo` prints them, with every digit, and as a field takes them.

use crate::components::number::repr;

/// As C's `%.6g`, which `torch.finfo` prints with.
pub fn six_digits(value: f64) -> String {
    let scientific = format!("{value:.5e}");
    let parts =
        scientific.split_once('e').and_then(|(digits, power)| Some((digits, power.parse::<i32>().ok()?)));
    match parts {
        Some((digits, power)) if !(-4..6).contains(&power) => format!("{}e{power:+03}", trimmed(digits)),
        Some((_, power)) => trimmed(&format!("{value:.*}", (5 - power) as usize)).to_owned(),
        None => repr(value),
    }
}

/// Every digit, in plain notation: no double below 2⁸⁰ and above 2⁻¹⁶⁰ with at most 24 significant bits needs more than
/// 160 behind the point.
pub fn exact(value: f64) -> String {
    if value.is_finite() { trimmed(&format!("{value:.160}")).to_owned() } else { repr(value) }
}

/// What a field takes and shows: the shortest text, without a fraction of zero.
pub fn typed(value: f64) -> String {
    repr(value).trim_end_matches(".0").to_owned()
}

pub fn read(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let has_digits = text.contains(|letter: char| letter.is_ascii_digit());
    // What a message quotes of it.
    let start = format!("{text:.24}");
    match text.replace('_', "").parse::<f64>() {
        Ok(value) if value.is_infinite() && has_digits => {
            Err(format!("The number must be at most 1.8e308, the largest double; {start} is beyond."))
        }
        Ok(value) => Ok(value),
        Err(_) => Err(format!("The number must be written like 0.1, -3 or 1e-8; {start:?} is not.")),
    }
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use napkin_engine::format::Format;

    use super::*;

    #[test]
    fn exact_means_every_digit() {
        assert_eq!(exact(0.5), "0.5");
        assert_eq!(exact(-65504.0), "-65504");
        assert_eq!(exact(0.1f32.into()), "0.100000001490116119384765625");
        let smallest = exact(Format::FP32.info().smallest_subnormal);
        assert!(smallest.starts_with("0.000") && smallest.ends_with("6212158203125"), "{smallest}");
        assert_eq!(smallest.parse::<f64>(), Ok(2f64.powi(-149)));
        assert_eq!(exact(Format::FP32.info().max), "340282346638528859811704183484516925440");
    }

    #[test]
    fn only_numbers_are_read() {
        for value in [0.0, -3.0, 1e-8, 1e300, f64::INFINITY] {
            assert_eq!(read(&typed(value)), Ok(value));
        }
        assert!(read("nan").is_ok_and(f64::is_nan));
        assert_eq!(read(" 70_000 "), Ok(70000.0));
        for (text, words) in
            [("", "written like"), ("abc", "\"abc\""), ("1e400", "beyond"), ("1,5", "written like")]
        {
            let sentence = read(text).unwrap_err();
            assert!(sentence.contains(words), "{text}: {sentence}");
        }
    }
}
