//! `napkin info`: what this machine can run on.

use napkin_accounting::Bytes;
use napkin_engine::Device;
use napkin_engine::gpu::{Gpu, GpuInfo, Record};
use serde_json::{Value, json};

use crate::args::InfoArgs;
use crate::bench::short_name;
use crate::cpu;
use crate::failure::Failure;
use crate::output::fact;
use crate::{measure, output, tuning};

/// Prints processor and adapters.
pub(crate) fn info(args: &InfoArgs) -> Result<(), Failure> {
    if args.measure {
        return measure::info(&args.device, args.json);
    }
    if args.device.device.is_some() || args.device.adapter.is_some() {
        return Err(Failure::Usage("--device and --adapter choose what --measure measures".to_owned()));
    }
    let adapters = pollster::block_on(Gpu::adapters());
    if args.kernels {
        return kernels(&adapters, args.json);
    }
    let kernel = Device::cpu().backend().name();
    if args.json {
        return output::print_json(&json!({
            "cpu": { "name": cpu::name(), "threads": cpu::threads(), "kernel": kernel },
            "adapters": adapters.iter().map(adapter_json).collect::<Vec<_>>(),
        }));
    }
    let mut rows = vec![
        fact("CPU", cpu::name()),
        fact("  threads", cpu::threads().to_string()),
        fact("  kernel", kernel),
    ];
    for adapter in &adapters {
        rows.extend(adapter_rows(adapter));
    }
    if adapters.is_empty() {
        rows.push(fact("GPU", "no adapter for Vulkan, Metal or DX12 found".to_owned()));
    }
    output::print(&output::table(&["", ""], &rows))
}

/// What earlier runs have found out about the kernels of each adapter.
fn kernels(adapters: &[GpuInfo], as_json: bool) -> Result<(), Failure> {
    let records: Vec<(&GpuInfo, Record)> =
        adapters.iter().map(|info| (info, tuning::record(info).unwrap_or_default())).collect();
    if as_json {
        let of = |(info, record): &(&GpuInfo, Record)| {
            let chosen =
                record.chosen().map(|(products, kernel)| json!({ "products": products, "kernel": kernel }));
            let checks = record.checks().iter().map(|check| {
                json!({ "kernel": check.kernel(), "dtype": short_name(check.dtype), "set_aside": check.aside() })
            });
            json!({
                "name": info.name,
                "driver": info.driver,
                "chosen": chosen.collect::<Vec<_>>(),
                "checked": checks.collect::<Vec<_>>(),
            })
        };
        return output::print_json(&records.iter().map(of).collect::<Vec<_>>());
    }
    let mut text = String::new();
    for (info, record) in &records {
        text += &format!("{info}\n");
        let chosen: Vec<_> = record.chosen().map(|(products, kernel)| vec![products, kernel]).collect();
        let checked: Vec<_> = record
            .checks()
            .iter()
            .map(|check| {
                let finding = check.aside().map_or("right".to_owned(), |why| format!("set aside: {why}"));
                vec![check.kernel(), short_name(check.dtype).to_owned(), finding]
            })
            .collect();
        if chosen.is_empty() && checked.is_empty() {
            text += "nothing known yet: napkin bench matmul --device gpu finds it out\n";
        } else if let Some(path) = tuning::path(info) {
            text += &format!("kept in {}; without that file all is found out anew\n", path.display());
        }
        for (headings, rows) in [
            (&["products", "fastest kernel"][..], chosen),
            (&["kernel", "dtype", "beside the plain one"], checked),
        ] {
            if !rows.is_empty() {
                text += &format!("\n{}", output::table(headings, &rows));
            }
        }
        text.push('\n');
    }
    output::print(&text)
}

pub(crate) fn adapter_rows(info: &GpuInfo) -> Vec<Vec<String>> {
    let bytes = |bytes: u64| Bytes::new(bytes as f64).display_binary();
    let kind = if info.is_software { "software, runs on the CPU" } else { info.device_type };
    let features = [("timestamp-query", info.has_timestamps), ("shader-f16", info.has_shader_f16)];
    let features: Vec<&str> = features.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    let (smallest, largest) = info.subgroup_sizes;
    let subgroups =
        if smallest == largest { largest.to_string() } else { format!("{smallest} to {largest}") };
    let units = info.matrix_units.iter().map(|size| format!("float16 by {size} × {size}"));
    let units =
        if info.matrix_units.is_empty() { "none".to_owned() } else { units.collect::<Vec<_>>().join(", ") };
    vec![
        fact("GPU", info.name.clone()),
        fact("  kind", kind.to_owned()),
        fact("  backend", info.backend.clone()),
        fact("  driver", if info.driver.is_empty() { "unknown".to_owned() } else { info.driver.clone() }),
        fact("  features", if features.is_empty() { "none".to_owned() } else { features.join(", ") }),
        fact("  largest buffer", bytes(info.max_buffer_bytes)),
        fact("  largest binding", bytes(info.max_binding_bytes)),
        fact("  workgroup memory", bytes(info.max_workgroup_bytes.into())),
        fact("  workgroup size", format!("{} invocations", info.max_workgroup_invocations)),
        fact("  subgroup size", subgroups),
        fact("  matrix units", units),
    ]
}

pub(crate) fn adapter_json(info: &GpuInfo) -> Value {
    json!({
        "name": info.name,
        "device_type": info.device_type,
        "is_software": info.is_software,
        "backend": info.backend,
        "driver": info.driver,
        "features": { "timestamp_query": info.has_timestamps, "shader_f16": info.has_shader_f16 },
        "limits": {
            "max_buffer_bytes": info.max_buffer_bytes,
            "max_binding_bytes": info.max_binding_bytes,
            "max_workgroup_bytes": info.max_workgroup_bytes,
            "max_workgroup_invocations": info.max_workgroup_invocations,
            "subgroup_size_min": info.subgroup_sizes.0,
            "subgroup_size_max": info.subgroup_sizes.1,
        },
        "matrix_units": info.matrix_units,
    })
}
