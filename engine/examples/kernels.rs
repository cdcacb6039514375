//! How fast every matmul kernel is on this machine's GPU, in GFLOP/s of the fastest sample:
//! `cargo run --profile native -p napkin-engine --example kernels -- float32 256 512`. Behind the sizes may stand what
//! the kernels' names begin with, for instance `tiled_128`.

use napkin_engine::DType;
use napkin_engine::bench::{MatmulSpec, matmul};
use napkin_engine::gpu::{Gpu, GpuOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let dtype = arguments.next().and_then(|name| DType::from_name(&name)).ok_or("usage: kernels DTYPE N…")?;
    let (sizes, names): (Vec<_>, Vec<_>) = arguments.partition(|word| word.parse::<usize>().is_ok());
    let is_wanted =
        |kernel: &String| names.is_empty() || names.iter().any(|name| kernel.starts_with(name.as_str()));
    let gpu = pollster::block_on(Gpu::open(GpuOptions::default()))?;
    println!("{} · {}", gpu.info(), gpu.info().driver);
    for n in sizes {
        let n = n.parse()?;
        for kernel in gpu.matmul_kernels(dtype).into_iter().filter(is_wanted) {
            gpu.force_matmul_kernel(Some(&kernel))?;
            let t = pollster::block_on(matmul(&gpu, MatmulSpec { m: n, n, k: n, dtype }, 0.3))?;
            let rate = |secs: f64| t.spec.flop() / secs / 1e9;
            let stamp = t.timestamp.map_or_else(|| "-".to_owned(), |s| format!("{:.2}", rate(s.min_secs)));
            println!(
                "{n:5} {dtype} {kernel:24} {:8.2} by fence {stamp:>8} by timestamp, error {:.1e}",
                rate(t.fence.min_secs),
                t.max_rel_err
            );
        }
    }
    Ok(())
}
