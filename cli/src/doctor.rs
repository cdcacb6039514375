//! `napkin doctor gpu`: whether a card computes as it should, as a report that can be sent.

use std::time::Duration;

use indicatif::ProgressBar;
use napkin_engine::doctor::{self, Finding, Progress};
use napkin_engine::gpu::{Gpu, GpuOptions};
use serde_json::json;

use crate::args::DoctorArgs;
use crate::bench::short_name;
use crate::failure::Failure;
use crate::{info, output};

/// Runs every kernel and prints what came of it.
pub(crate) fn gpu(args: &DoctorArgs) -> Result<(), Failure> {
    let options = GpuOptions { name: args.adapter.clone(), baseline: args.baseline, ..GpuOptions::default() };
    let gpu = pollster::block_on(Gpu::open(options))?;
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    let mut findings: Vec<Finding> = Vec::new();
    let done = pollster::block_on(doctor::gpu(&gpu, |progress| match progress {
        // At once: if a driver ends this program, the last line names the kernel.
        Progress::Begins(kernel, dtype) => {
            bar.set_message(format!("{kernel} {}", short_name(dtype)));
            bar.tick();
        }
        Progress::Ends(finding) => findings.push(finding),
    }));
    bar.finish_and_clear();
    let faults = findings.iter().filter(|finding| finding.fault.is_some()).count();
    let verdict = match (faults, gpu.lost()) {
        (_, Some(why)) => format!("the device was lost: {why}"),
        (0, None) => format!("all {} are right", findings.len()),
        (faults, None) => format!("{faults} of {} are not right", findings.len()),
    };
    let version = env!("CARGO_PKG_VERSION");
    if args.json {
        let finding = |finding: &Finding| {
            json!({
                "kernel": finding.kernel,
                "dtype": short_name(finding.dtype),
                "fault": finding.fault,
                "secs": finding.secs,
            })
        };
        output::print_json(&json!({
            "napkin": version,
            "adapter": info::adapter_json(gpu.info()),
            "findings": findings.iter().map(finding).collect::<Vec<_>>(),
            "verdict": verdict,
        }))?;
    } else {
        let rows = findings.iter().map(|finding| {
            let came = finding.fault.clone().unwrap_or_else(|| "right".to_owned());
            let ms = format!("{:.1}", 1e3 * finding.secs);
            vec![finding.kernel.clone(), short_name(finding.dtype).to_owned(), ms, came]
        });
        let mut facts = vec![vec!["napkin".to_owned(), version.to_owned()]];
        facts.extend(info::adapter_rows(gpu.info()));
        let table = output::table(&["kernel", "dtype", ">ms", "beside its twin"], &rows.collect::<Vec<_>>());
        output::print(&format!("{}\n{table}\n{verdict}\n", output::table(&["", ""], &facts)))?;
    }
    done?;
    if faults > 0 { Err(Failure::Work(verdict)) } else { Ok(()) }
}
