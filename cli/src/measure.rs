//! `napkin info --measure` and `napkin bench op`: this machine's own ceilings, and operations below them.

use std::rc::Rc;

use napkin_accounting::{Provenance, Unit, format};
use napkin_engine::cpu::Cpu;
use napkin_engine::measure::{
    self, Access, Clock, Cost, Direction, Limits, Machine, Measured, Operation, Options, Probe, Survey,
    Threads,
};

use crate::args::OperationArgs;
use crate::bench::dtype;
use crate::device::{self, Chosen, DeviceArgs};
use crate::failure::Failure;
use crate::numbers::positive;
use crate::{output, progress};

/// Of the memory that is free, measurements take at most this share.
const SHARE_OF_MEMORY: u64 = 4;

/// Measures a device and prints what was found.
pub(crate) fn info(args: &DeviceArgs, as_json: bool) -> Result<(), Failure> {
    let chosen = device::choose(args)?;
    let (machine, done) = survey(&chosen);
    if as_json {
        output::print_json(&machine)?;
    } else {
        output::print(&to_text(&machine))?;
    }
    done
}

/// Everything that there is to measure of a device; where that is lost, what was measured before, and the error.
pub(crate) fn survey(chosen: &Chosen) -> (Machine, Result<(), Failure>) {
    let today = jiff::Timestamp::now().strftime("%F").to_string();
    let mut options = Options::new(today, chosen.adapter.clone());
    options.memory_bytes = options.memory_bytes.min(memory_bytes());
    let probe: Rc<dyn Probe> = match &chosen.gpu {
        Some(gpu) => Rc::new(gpu.clone()),
        None => Rc::new(Cpu::new()),
    };
    let mut survey = Survey::new(&chosen.device, probe, options);
    let bar = progress::measuring(0);
    let mut done = Ok(());
    while let (Ok(()), Some(next)) = (&done, survey.next()) {
        bar.set_length(next.of as u64);
        bar.set_position(next.done as u64);
        bar.set_message(next.what);
        done = pollster::block_on(survey.step());
    }
    bar.finish_and_clear();
    (survey.finish(), done.map_err(Failure::from))
}

pub(crate) fn memory_bytes() -> u64 {
    napkin_engine::room::free_bytes().map_or(1 << 28, |bytes| bytes / SHARE_OF_MEMORY)
}

/// Times one expression.
pub(crate) fn operation(args: &OperationArgs) -> Result<(), Failure> {
    let dtype = dtype(&args.dtype)?;
    let limits = Limits {
        memory_bytes: memory_bytes(),
        run_secs: 10.0,
        budget_secs: f64::from(positive("--secs", &args.secs)?),
    };
    let chosen = device::choose(&args.device)?;
    let timed = measure::expression(&chosen.device, &args.expression, dtype, &limits);
    let operation = pollster::block_on(timed)?;
    if args.json {
        return output::print_json(&operation);
    }
    output::print(&table("operation", &[operation_row(&operation)]))
}

fn to_text(machine: &Machine) -> String {
    let mut facts = vec![
        output::fact("device", format!("{}: {}", machine.device, machine.adapter)),
        output::fact("through", [machine.backend.as_str(), &machine.driver].join(" ").trim_end().to_owned()),
        output::fact("date", machine.date.clone()),
        output::fact("figures", Provenance::Measured.words().to_owned()),
        output::fact("clock step", format::short(machine.clock_step_secs, Unit::SECOND)),
    ];
    if machine.threads > 1 {
        facts.insert(2, output::fact("threads", machine.threads.to_string()));
    }
    let threads = |threads: Threads| match threads {
        Threads::One => ", one thread".to_owned(),
        Threads::All if machine.threads > 1 => format!(", {} threads", machine.threads),
        Threads::All => String::new(),
    };
    let fma = machine.fma.iter().map(|rate| {
        let vector = if rate.width > 1 { format!(" in vectors of {}", rate.width) } else { String::new() };
        row(format!("{}{vector}{}", rate.dtype, threads(rate.threads)), &rate.measured)
    });
    let memory = machine.bandwidth.iter().map(|pass| {
        let access = match pass.access {
            Access::Read => "read",
            Access::Write => "write",
            Access::Copy => "copy",
        };
        row(format!("{access} {}{}", binary(pass.working_set_bytes), threads(pass.threads)), &pass.measured)
    });
    let caches = machine.caches.iter().map(|pass| {
        row(format!("read {}{}", binary(pass.working_set_bytes), threads(pass.threads)), &pass.measured)
    });
    let transfers = machine.transfers.iter().map(|transfer| {
        let way = match transfer.direction {
            Direction::HostToDevice => "to the device",
            Direction::DeviceToHost => "from the device",
        };
        row(format!("{} {way}", binary(transfer.measured.bytes)), &transfer.measured)
    });
    let latencies = machine.latencies.iter().map(|latency| {
        let what = match latency.cost {
            Cost::RoundTrip => "a kernel, waited for",
            Cost::Dispatch => "one more kernel",
            Cost::Submission => "one more submission",
        };
        row(what.to_owned(), &latency.measured)
    });
    let products = machine.products.iter().map(|product| {
        let what =
            format!("{}×{}×{} {} by {}", product.m, product.k, product.n, product.dtype, product.kernel);
        row(what, &product.measured)
    });
    let mut text = output::table(&["", ""], &facts);
    let mut part = |heading: &str, rows: Vec<Vec<String>>| {
        if !rows.is_empty() {
            text += "\n";
            text += &table(heading, &rows);
        }
    };
    part("multiply-adds in registers", fma.collect());
    part("memory", memory.collect());
    part("caches", caches.collect());
    part("host and device", transfers.collect());
    part("launching", latencies.collect());
    part("products", products.collect());
    part("operations", machine.operations.iter().map(operation_row).collect());
    for skipped in &machine.skipped {
        text += &format!("\nnot measured: {}: {}", skipped.what, skipped.why);
    }
    if machine.skipped.is_empty() { text } else { text + "\n" }
}

fn table(heading: &str, rows: &[Vec<String>]) -> String {
    output::table(&[heading, ">FLOP/s", ">bytes/s", ">median", ">fastest", ">samples", "clock"], rows)
}

fn operation_row(operation: &Operation) -> Vec<String> {
    row(format!("{} {}", operation.expression, operation.dtype), &operation.measured)
}

fn row(what: String, measured: &Measured) -> Vec<String> {
    let rate = |amount: u64, per_sec: f64, unit: Unit| {
        if amount == 0 { "–".to_owned() } else { format::short(per_sec, unit.per(Unit::SECOND)) }
    };
    let best = measured.best();
    let clock = match best.by {
        Clock::Fence => "fence",
        Clock::Timestamp => "timestamp",
    };
    vec![
        what,
        rate(measured.flop, measured.flop_per_sec(), Unit::FLOP),
        rate(measured.bytes, measured.bytes_per_sec(), Unit::BYTE),
        format::short(best.median_secs, Unit::SECOND),
        format::short(best.min_secs, Unit::SECOND),
        format!("{} × {}", best.samples, best.runs_per_sample),
        clock.to_owned(),
    ]
}

fn binary(bytes: u64) -> String {
    format::binary_bytes(bytes as f64)
}
