//! Numbers for people, and numbers from people.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use napkin_accounting::{
    Bytes, BytesPerSec, Count, DType, Days, Flop, FlopPerSec, GpuHours, Gpus, Mfu, Params, Quantity, Seconds,
    Tokens, Unit, format, parse,
};

#[test]
fn four_significant_digits_with_prefix_and_unit() {
    for (shown, expected) in [
        (FlopPerSec::new(989.5e12).to_string(), "989.5 TFLOP/s"),
        (FlopPerSec::new(1.979e15).to_string(), "1.979 PFLOP/s"),
        (FlopPerSec::new(999.96e9).to_string(), "1 TFLOP/s"),
        (Flop::new(33_554_432.0).to_string(), "33.55 MFLOP"),
        (Flop::new(8_796_093_022_208.0).to_string(), "8.796 TFLOP"),
        (Flop::new(6.3e24).to_string(), "6.3e24 FLOP"),
        (Flop::new(0.0).to_string(), "0 FLOP"),
        (Bytes::new(80e9).to_string(), "80 GB"),
        (Bytes::new(128.0).to_string(), "128 B"),
        (BytesPerSec::new(3.35e12).to_string(), "3.35 TB/s"),
        (Params::new(70e9).to_string(), "70 B params"),
        (Params::new(1.0).to_string(), "1 param"),
        (Tokens::new(15e12).to_string(), "15 T tokens"),
        (Gpus::new(1024.0).to_string(), "1024 GPUs"),
        (Gpus::new(16_384.0).to_string(), "16384 GPUs"),
        (GpuHours::new(3_537_140.0).to_string(), "3.537 M GPU-hours"),
        (Days::new(1.0).to_string(), "1 day"),
        (Days::new(143.926_593_8).to_string(), "143.9 days"),
        (Days::new(2.105e-6).to_string(), "181.9 ms"),
        (Days::new(0.5).to_string(), "12 h"),
        (Days::new(0.0).to_string(), "0 days"),
        (Days::new(1439.0).to_string(), "1439 days"),
        (Days::new(15_421.0).to_string(), "42.22 years"),
        (Mfu::new(0.276).to_string(), "0.276"),
        (Mfu::new(1e-9).to_string(), "1e-9"),
        (Seconds::new(0.0).to_string(), "0 s"),
        (Seconds::new(1.5e-7).to_string(), "150 ns"),
        (Seconds::new(0.002_345_67).to_string(), "2.346 ms"),
        (Seconds::new(0.000_999_99).to_string(), "1 ms"),
        (Seconds::new(0.99999).to_string(), "1 s"),
        (Seconds::new(90.0).to_string(), "1.5 min"),
        (Seconds::new(86_400.0).to_string(), "1 day"),
        (Seconds::new(143.926_593_8 * 86_400.0).to_string(), "143.9 days"),
        (Seconds::new(1e12).to_string(), "31688 years"),
    ] {
        assert_eq!(shown, expected);
    }
}

#[test]
fn binary_and_decimal_bytes_are_labelled() {
    assert_eq!(Bytes::new(80e9).display_binary(), "74.51 GiB");
    assert_eq!(Bytes::new(49_152.0 * 12_288.0 * 4.0).display_binary(), "2.25 GiB");
    assert_eq!(Bytes::new(1024.0).display_binary(), "1 KiB");
    assert_eq!(Bytes::new(1_048_575.9).display_binary(), "1 MiB");
    assert_eq!(Bytes::new(1000.0).display_binary(), "1000 B");
}

#[test]
fn what_is_not_finite_is_said_in_words() {
    assert_eq!(Flop::new(f64::NAN).to_string(), "undefined");
    assert_eq!(Flop::new(f64::INFINITY).to_string(), "too large for a double (above 1.8e308)");
}

#[test]
fn exact_values_have_all_digits() {
    assert_eq!(format::exact(33_554_432.0, Unit::FLOP), "33,554,432 FLOP");
    assert_eq!(format::exact(143.926_593_818_426_82, Unit::DAY), "143.92659381842682 days");
    assert_eq!(format::exact(-1234.5, Unit::NONE), "-1,234.5");
    assert_eq!(format::exact(6.3e24, Unit::FLOP), "6,300,000,000,000,000,000,000,000 FLOP");
}

#[test]
fn python_literals_read_back_to_the_same_double() {
    for (value, literal) in [
        (70e9, "70_000_000_000"),
        (989.5e12, "989_500_000_000_000"),
        (6.3e24, "6.3e24"),
        (0.5, "0.5"),
        (1024.0, "1_024"),
        (0.0, "0"),
        (-7e9, "-7e9"),
        (1e-8, "10e-9"),
        (70_553_706_496.0, "70_553_706_496"),
    ] {
        assert_eq!(format::python(value), literal);
    }
    for value in [f64::MIN_POSITIVE, f64::MAX, 5e-324, 0.1 + 0.2, 1.0 / 3.0, 123_456_789.123_456_79] {
        assert_eq!(format::python(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
    }
}

fn read<Q: Quantity>(text: &str) -> f64 {
    parse::<Q>("field", text).unwrap_or_else(|error| panic!("{text:?}: {error}")).number().to_f64()
}

#[test]
fn people_write_numbers_in_many_ways() {
    for text in [
        "70B",
        "70 B",
        "70b",
        "70G",
        "70e9",
        "7e10",
        "70_000_000_000",
        "70,000,000,000",
        "70B params",
        "+70E9",
    ] {
        assert_eq!(read::<Params>(text), 70e9, "{text}");
    }
    assert_eq!(read::<Tokens>("15T"), 15e12);
    assert_eq!(read::<Tokens>("15.6t tokens"), 15.6e12);
    assert_eq!(read::<FlopPerSec>("1.979 PFLOP/s"), 1.979e15);
    assert_eq!(read::<FlopPerSec>("989.5 TFLOPS"), 989.5e12);
    assert_eq!(read::<FlopPerSec>("1.979P"), 1.979e15);
    assert_eq!(read::<Flop>("1E"), 1e18);
    assert_eq!(read::<Flop>("1E3"), 1000.0);
    assert_eq!(read::<Bytes>("80 GB"), 80e9);
    assert_eq!(read::<Bytes>("80 GiB"), 80.0 * 1024f64.powi(3));
    assert_eq!(read::<Bytes>("70 B"), 70.0);
    assert_eq!(read::<BytesPerSec>("3.35 TB/s"), 3.35e12);
    assert_eq!(read::<Seconds>("2.5 ms"), 0.0025);
    assert_eq!(read::<Seconds>("2"), 2.0);
    assert_eq!(read::<Count>("1_000"), 1000.0);
    assert_eq!(read::<Count>(" 16K "), 16_000.0);
    assert_eq!(read::<Mfu>("50%"), 0.5);
    assert_eq!(read::<Mfu>("1.2"), 1.2);
    assert_eq!(read::<Gpus>("1024 GPUs"), 1024.0);
    assert_eq!(read::<Gpus>("9007199254740992"), 2f64.powi(53));
}

fn refuse<Q: Quantity + std::fmt::Debug>(text: &str) -> String {
    parse::<Q>("--size", text).unwrap_err().to_string()
}

#[test]
fn bad_input_is_one_sentence_with_field_and_rule() {
    const NUMBER: &str = "--size must be a number";
    for (message, expected) in [
        (refuse::<Params>("abc"), NUMBER),
        (refuse::<Params>(""), NUMBER),
        (refuse::<Params>("   "), NUMBER),
        (refuse::<Params>("nan"), NUMBER),
        (refuse::<Params>("inf"), NUMBER),
        (refuse::<Params>("1e"), NUMBER),
        (refuse::<Params>("e9"), NUMBER),
        (refuse::<Params>("."), NUMBER),
        (refuse::<Params>("--3"), NUMBER),
        (refuse::<Params>("1.2.3"), NUMBER),
        (refuse::<Params>("1__0"), NUMBER),
        (refuse::<Params>("_1"), NUMBER),
        (refuse::<Params>("1,5"), NUMBER),
        (refuse::<Params>(",100"), NUMBER),
        (refuse::<Params>("1.5,000"), NUMBER),
        (refuse::<Params>("70 B B"), NUMBER),
        (refuse::<Params>("70 Gi"), NUMBER),
        (refuse::<Params>("12 34"), NUMBER),
        (refuse::<Params>("７０"), NUMBER),
        (refuse::<Seconds>("5 GB"), "--size must be a number of seconds"),
        (refuse::<Bytes>("5 ms"), NUMBER),
        (refuse::<FlopPerSec>("5 FLOP/fortnight"), NUMBER),
        (refuse::<Params>("0"), "--size must be greater than 0"),
        (refuse::<Params>("-70B"), "--size must be greater than 0"),
        (refuse::<Params>("1e-400"), "--size must be greater than 0"),
        (refuse::<Params>("1e400"), "--size must be finite and at most 1.8e308"),
        (refuse::<Params>("1e300E"), "--size must be finite and at most 1.8e308"),
        (refuse::<Params>("1e99999999999999999999"), NUMBER),
        (refuse::<Count>("1e400"), "--size must be a whole number from 1 to 2^53"),
        (refuse::<Count>("0"), "--size must be a whole number from 1 to 2^53"),
        (refuse::<Count>("1.5"), "--size must be a whole number from 1 to 2^53"),
        (refuse::<Gpus>("9007199254740994"), "--size must be a whole number from 1 to 2^53"),
    ] {
        assert!(message.starts_with(expected), "{message}\nshould start with\n{expected}");
        assert!(message.contains("; got \"") && !message.contains('\n'), "{message}");
    }
}

#[test]
fn long_and_strange_input_is_not_repeated_in_full() {
    let message = refuse::<Params>(&"x".repeat(10_000));
    assert!(message.len() < 200, "{message}");
    assert!(refuse::<Params>("a\nb\u{1b}[0m").contains(r"a\nb\u{1b}[0m"));
}

#[test]
fn dtypes_go_by_their_names_in_tables_and_in_pytorch() {
    for dtype in DType::ALL {
        assert_eq!(DType::parse("dtype", dtype.name()), Ok(dtype));
    }
    assert_eq!(DType::parse("dtype", " BFloat16 "), Ok(DType::Bf16));
    let error = DType::parse("--dtype", "fp7").unwrap_err().to_string();
    assert_eq!(error, "--dtype must be one of fp32, tf32, fp16, bf16, fp8, fp4 and int8; got \"fp7\"");
}
