//! Doubles as text: as Python prints them, as `torch.finfo` does, and with every digit.

use napkin_accounting::decimal;

/// Digits that any double below 2⁸⁰ and above 2⁻¹⁶⁰ with at most 24 significant bits can need.
const ALL_DIGITS: usize = 160;

/// As Python's `repr`: the shortest text that reads back as the same double.
pub fn repr(value: f64) -> String {
    match split(&decimal::shortest_scientific(value)) {
        None => special(value),
        Some((mantissa, exponent)) if !(-4..16).contains(&exponent) => scientific(mantissa, exponent),
        Some(_) if value.fract() == 0.0 => decimal::fixed(value, 1),
        Some(_) => decimal::shortest(value),
    }
}

/// As C's `%.6g`, which `torch.finfo` prints with.
pub fn six_digits(value: f64) -> String {
    let text = decimal::scientific(value, 5);
    match split(&text) {
        None => special(value),
        Some((mantissa, exponent)) if !(-4..6).contains(&exponent) => scientific(trimmed(mantissa), exponent),
        Some((_, exponent)) => {
            let places = usize::try_from(5 - exponent).unwrap_or(0);
            trimmed(&decimal::fixed(value, places)).to_owned()
        }
    }
}

/// Every digit, in plain notation.
pub fn exact(value: f64) -> String {
    if value.is_finite() { trimmed(&decimal::fixed(value, ALL_DIGITS)).to_owned() } else { special(value) }
}

/// What a field takes and shows: the shortest text, without a fraction of zero.
pub fn typed(value: f64) -> String {
    repr(value).trim_end_matches(".0").to_owned()
}

/// Reads a number for a field.
pub fn read(text: &str) -> Result<f64, String> {
    let bare = text.trim().replace('_', "");
    let unsigned = bare.trim_start_matches(['+', '-']).to_ascii_lowercase();
    match decimal::read(&bare) {
        Some(value) if value.is_finite() || ["inf", "infinity", "nan"].contains(&unsigned.as_str()) => {
            Ok(value)
        }
        Some(_) => {
            Err(format!("The number must be at most 1.8e308, the largest double; {} is beyond.", cut(text)))
        }
        None => Err(format!("The number must be written like 0.1, -3 or 1e-8; {:?} is not.", cut(text))),
    }
}

fn cut(text: &str) -> String {
    text.trim().chars().take(24).collect()
}

fn special(value: f64) -> String {
    let name = if value.is_nan() { "nan" } else { "inf" };
    if value < 0.0 { format!("-{name}") } else { name.to_owned() }
}

fn split(text: &str) -> Option<(&str, i32)> {
    let (mantissa, exponent) = text.split_once('e')?;
    Some((mantissa, exponent.parse().ok()?))
}

fn scientific(mantissa: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use napkin_engine::format::Format;

    use super::*;

    #[test]
    fn numbers_print_as_in_python() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (65504.0, "65504.0"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (3.389_531_389_251_535_5e38, "3.3895313892515355e+38"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (value, text) in cases {
            assert_eq!(repr(value), text);
        }
    }

    #[test]
    fn the_lectures_figures() {
        let keeps = |format: Format, value| repr(format.decode(format.store(value).0));
        assert_eq!(keeps(Format::FP16, 1e-8), "0.0");
        assert_eq!(keeps(Format::BF16, 1e-8), "1.0011717677116394e-08");
        assert_eq!(six_digits(Format::FP16.info().max), "65504");
        assert_eq!(six_digits(Format::FP16.info().tiny), "6.10352e-05");
        assert_eq!(six_digits(Format::FP16.info().eps), "0.000976562");
        assert_eq!(six_digits(Format::BF16.info().eps), "0.0078125");
        assert_eq!(six_digits(Format::BF16.info().max), "3.38953e+38");
        assert_eq!(six_digits(Format::FP32.info().eps), "1.19209e-07");
        assert_eq!(six_digits(Format::E4M3.info().max), "448");
        assert_eq!(six_digits(Format::E5M2.info().max), "57344");
    }

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
