//! How fast every matmul kernel is on this machine's GPU, in GFLOP/s of the fastest sample:
//! `cargo run --profile native -p napkin-engine --example kernels -- float32 256 512`.

use napkin_engine::DType;
use napkin_engine::bench::{MatmulSpec, matmul};
use napkin_engine::gpu::{Gpu, GpuOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let dtype = arguments.next().and_then(|name| DType::from_name(&name)).ok_or("usage: kernels DTYPE N…")?;
    let sizes: Vec<usize> = arguments.map(|n| n.parse()).collect::<Result<_, _>>()?;
    let gpu = pollster::block_on(Gpu::open(GpuOptions::default()))?;
    println!("{} · {}", gpu.info(), gpu.info().driver);
    for n in sizes {
        for kernel in gpu.matmul_kernels(dtype) {
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
