//! Numbers in formats of few bits, and the limits of formats.

use napkin_engine::format::Format;
use napkin_notebook::trace::Json;

/// Formats by their names in lectures; float64 is none that the engine has to take apart.
const FORMATS: [(&str, Format); 7] = [
    ("fp32", Format::FP32),
    ("tf32", Format::TF32),
    ("fp16", Format::FP16),
    ("bf16", Format::BF16),
    ("fp8_e4m3", Format::E4M3),
    ("fp8_e5m2", Format::E5M2),
    ("fp4", Format::E2M1),
];

fn of(name: &str) -> Option<Format> {
    FORMATS.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
}

/// Sign, exponent and fraction as digits, and the number that is stored.
pub(super) fn bits(data: &Json) -> Option<Json> {
    let value = data.get("value")?;
    let value = value.number().or_else(|| value.text()?.parse().ok())?;
    let name = data.get("format")?.text()?;
    let (digits, exponent, stored) = match of(name) {
        Some(format) => {
            let (pattern, _) = format.store(value);
            let bits = format.bits() as usize;
            (format!("{pattern:0bits$b}"), format.exponent_bits, format.decode(pattern))
        }
        None if name == "fp64" => (format!("{:064b}", value.to_bits()), 11, value),
        None => return None,
    };
    let (sign, rest) = digits.split_at_checked(1)?;
    let (exponent, fraction) = rest.split_at_checked(exponent as usize)?;
    let stored = if stored.is_finite() {
        Json::Float(stored)
    } else {
        Json::from(if stored.is_nan() {
            "nan"
        } else if stored > 0.0 {
            "inf"
        } else {
            "-inf"
        })
    };
    Some(
        [
            ("sign", sign.into()),
            ("exponent", exponent.into()),
            ("fraction", fraction.into()),
            ("stored", stored),
        ]
        .into_iter()
        .collect(),
    )
}

/// The limits of each format, under the names of `torch.finfo`.
pub(super) fn limits(data: &Json) -> Option<Json> {
    let limits = |name: &str| {
        let [smallest, tiny, max, eps] = match of(name) {
            Some(format) => {
                let info = format.info();
                [info.smallest_subnormal, info.tiny, info.max, info.eps]
            }
            None => [f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX, f64::EPSILON],
        };
        let numbers = [("smallest", smallest), ("tiny", tiny), ("max", max), ("eps", eps)];
        let numbers = numbers.map(|(name, value)| (name, Json::Float(value)));
        std::iter::once(("format", Json::from(name))).chain(numbers).collect::<Json>()
    };
    Some(data.get("formats")?.items().iter().filter_map(Json::text).map(limits).collect())
}
