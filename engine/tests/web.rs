//! The browser's own kernels: SIMD128 on the CPU, WebGPU through the browser. Runs in Chromium.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops at the first fault")]

use napkin_engine::gpu::{Gpu, GpuOptions};
use napkin_engine::random::Generator;
use napkin_engine::{DType, Device, Tensor};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// (m, k, n): nothing at all, less than a tile, a tile and a bit, several tiles.
const SHAPES: [(usize, usize, usize); 9] = [
    (0, 3, 5),
    (3, 0, 5),
    (1, 1, 1),
    (3, 17, 2),
    (17, 3, 63),
    (64, 64, 64),
    (63, 65, 127),
    (65, 129, 17),
    (129, 127, 130),
];

/// Compares products, plain and of transposes, with f64: |error| <= 2 k eps (|A||B|), and never NaN.
async fn check_products(device: &Device) {
    for (m, k, n) in SHAPES {
        let mut generator = Generator::new(7);
        let (a, b) = (generator.randn(m * k), generator.randn(k * n));
        let x = Tensor::from_slice(&a, &[m, k], DType::F32, device).unwrap();
        let y = Tensor::from_slice(&b, &[k, n], DType::F32, device).unwrap();
        let product = x.matmul(&y).unwrap().to_vec().await.unwrap();
        assert_eq!(product.len(), m * n);
        let swapped = y.transpose(0, 1).unwrap().matmul(&x.transpose(0, 1).unwrap()).unwrap();
        let swapped = swapped.to_vec().await.unwrap();
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let terms = (0..k).map(|p| f64::from(a[i * k + p]) * f64::from(b[p * n + j]));
            let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()));
            let bound = 2.0 * k as f64 * f64::from(f32::EPSILON) * size;
            for got in [product[i * n + j], swapped[j * m + i]] {
                let error = (f64::from(got) - sum).abs();
                assert!(error <= bound, "{device}, ({m}, {k}) @ ({k}, {n}) at ({i}, {j}): {got} for {sum}");
            }
        }
    }
}

#[wasm_bindgen_test]
async fn simd_products_match_f64() {
    check_products(&Device::cpu()).await;
}

#[wasm_bindgen_test]
async fn webgpu_products_match_f64() {
    let gpu = Gpu::open(GpuOptions::default()).await.expect("Chromium runs with SwiftShader here");
    check_products(&Device::new(gpu)).await;
}
