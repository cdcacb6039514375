//! Numbers of bytes, in words.

/// Four digits and a unit of a thousand of the one before it: "4 TB", "67.11 MB", "512 bytes".
#[must_use]
pub fn written(bytes: u128) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if bytes < 1000 {
        return format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" });
    }
    let (mut scaled, mut unit) = (bytes as f64 / 1e3, 0);
    // What would be rounded to 1000 of a unit is 1 of the next.
    while scaled >= 999.95 && unit + 1 < UNITS.len() {
        scaled /= 1e3;
        unit += 1;
    }
    let decimals = if scaled < 9.9995 { 3 } else { 1 + usize::from(scaled < 99.995) };
    let digits = format!("{scaled:.decimals$}");
    format!("{} {}", digits.trim_end_matches('0').trim_end_matches('.'), UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_four_digits_and_a_unit() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1000, "1 kB"),
            (9_999_600, "10 MB"),
            (67_108_864, "67.11 MB"),
            (100_000_000, "100 MB"),
            (999_960_000, "1 GB"),
            (2_147_483_647, "2.147 GB"),
            (4_000_000_000_000, "4 TB"),
            (8_405_385_216, "8.405 GB"),
            (1 << 80, "1208925.8 EB"),
        ] {
            assert_eq!(written(bytes), text);
        }
    }
}
