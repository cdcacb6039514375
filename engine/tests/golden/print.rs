//! Tensors as text, letter by letter as Python's `repr` has them in golden/print.py.

use crate::figures::{dtype, scalar};
use crate::harness::{block_on, each_device};
use napkin_engine::{DType, Device, Result, Scalar, Tensor};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    dtype: String,
    values: Vec<Value>,
    count: usize,
    shape: Vec<usize>,
    stride: Vec<usize>,
    offset: usize,
    leaf: bool,
    op: String,
    /// What both devices have in common, then the rest on a CPU and on a GPU.
    repr: [String; 3],
}

impl Case {
    fn dtype(&self) -> DType {
        dtype(&self.dtype)
    }

    fn tensor(&self, device: &Device) -> Result<Tensor> {
        let storage: Vec<Scalar> = self.values.iter().map(scalar).cycle().take(self.count).collect();
        let flat = Tensor::from_scalars(&storage, &[self.count], self.dtype(), device)?;
        let x = flat.as_strided(&self.shape, &self.stride, self.offset)?;
        x.set_requires_grad(self.leaf)?;
        match self.op.as_str() {
            "" => Ok(x),
            "mul" => x.mul(2.0),
            "neg" => x.neg(),
            "relu" => x.relu(),
            "sum" => x.sum_dims(&[], false),
            "view" => x.view(&[-1]),
            "transpose" => x.transpose(0, -1),
            "unsqueeze" => x.unsqueeze(0),
            "select" => x.select(0, 0),
            "clone" => x.transpose(0, -1)?.contiguous(),
            "double" => x.to_dtype(DType::F64),
            op => panic!("{op} is not known to this test"),
        }
    }

    /// Whether a GPU without float64 has the dtypes that are computed with.
    fn is_for_gpu(&self) -> bool {
        self.op.is_empty() || (self.dtype() != DType::F64 && self.op != "double")
    }
}

#[test]
fn texts_are_pytorchs() {
    let Golden { cases } = serde_json::from_str(include_str!("print.json")).unwrap();
    assert!(cases.len() >= 350, "{} cases", cases.len());
    each_device(|device| {
        let is_cpu = device.to_string() == "cpu";
        let mut faults = Vec::new();
        for (i, case) in cases.iter().enumerate().filter(|(_, case)| is_cpu || case.is_for_gpu()) {
            let [common, on_cpu, on_gpu] = &case.repr;
            let want = format!("{common}{}", if is_cpu { on_cpu } else { on_gpu });
            let got = case.tensor(device).and_then(|tensor| block_on(tensor.repr()));
            if got.as_ref().ok() != Some(&want) {
                let got = got.unwrap_or_else(|error| format!("fails: {error}"));
                faults.push(format!("{device}: case {i}:\n{got}\ninstead of\n{want}"));
            }
        }
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    });
}

/// PyTorch's own recursion ends here, this one is none.
#[test]
fn any_number_of_dimensions_is_printed() {
    let rank = 20_000;
    let x = Tensor::ones(&vec![1; rank], DType::F32, &Device::cpu()).unwrap();
    let text = block_on(x.repr()).unwrap();
    assert_eq!(text, format!("tensor({}1.{})", "[".repeat(rank), "]".repeat(rank)));
}
