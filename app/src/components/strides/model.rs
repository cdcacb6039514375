//! What the program leads to: storages, tensors over them, and values.

use std::collections::BTreeMap;

use napkin_engine::view_expr::Stage;
use napkin_engine::{DType, Error, Layout};
use napkin_trace::trace::{Json, Value};

use super::program::{FIRST, Statement, Write, stored};
use crate::components::number::{number_of, tuple};

/// Beyond this nothing is drawn, and a trace from somewhere may say anything.
const MOST_ELEMENTS: usize = 1 << 30;

/// Where the numbers of a storage are from.
#[derive(Debug, Clone, PartialEq)]
enum Numbers {
    /// `torch.arange(numel)`
    Counting,
    /// What a trace says of them, by their place.
    Known(BTreeMap<usize, f64>),
    /// A copy of what `layout` showed of another storage, made before any write.
    Copy { storage: usize, layout: Layout },
}

#[derive(Debug, Clone, PartialEq)]
struct Storage {
    dtype: DType,
    len: usize,
    numbers: Numbers,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    pub name: String,
    /// The expression that makes it, if there is one.
    pub source: Option<String>,
    /// What it is a view of; nothing for a tensor that the explorer began with.
    pub base: Option<String>,
    pub dtype: DType,
    pub storage: usize,
    /// How it shows it; up to where the expression is sound.
    pub layout: Layout,
    /// Its operations as typed, up to where they are sound, with the bytes that they copied.
    pub stages: Vec<(String, Option<u64>)>,
    /// PyTorch's refusal of the next operation.
    pub refusal: Option<String>,
}

impl Tensor {
    fn new(name: String, dtype: DType, storage: usize, layout: Layout) -> Self {
        let (source, base, stages, refusal) = (None, None, Vec::new(), None);
        Self { name, source, base, dtype, storage, layout, stages, refusal }
    }

    /// Bytes of all elements of a layout; more than a browser's `usize` may say.
    pub fn bytes_of(&self, layout: &Layout) -> u64 {
        layout.numel() as u64 * self.dtype.size_bytes() as u64
    }

    pub fn has(&self, index: &[usize]) -> bool {
        index.len() == self.layout.rank() && index.iter().zip(self.layout.shape()).all(|(i, n)| i < n)
    }

    /// The storage of an element, and its place there.
    pub fn place(&self, index: &[usize]) -> (usize, usize) {
        (self.storage, self.layout.storage_index(index))
    }
}

/// Everything that the explorer shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// Those that the explorer began with first.
    pub tensors: Vec<Tensor>,
    storages: Vec<Storage>,
    /// Storage, element and value; later writes come later.
    written: Vec<((usize, usize), f64)>,
}

impl Model {
    /// Begins with an `x` that counts its elements.
    pub fn counting(shape: &[usize]) -> Result<Self, Error> {
        let (dtype, layout) = (DType::F32, Layout::contiguous(shape)?);
        let source = format!("torch.arange({}.).view{}", layout.numel(), tuple(shape));
        let storage = Storage { dtype, len: layout.numel(), numbers: Numbers::Counting };
        let x = Tensor { source: Some(source), ..Tensor::new(FIRST.to_owned(), dtype, 0, layout) };
        Ok(Self { tensors: vec![x], storages: vec![storage], written: Vec::new() })
    }

    /// Begins with tensors of a trace over their real storages, if that says how they lie in memory.
    pub fn of_trace(tensors: &[(String, Value)]) -> Option<Self> {
        let mut model = Self::default();
        // The numbers of our storages in the trace.
        let mut numbers: Vec<u32> = Vec::new();
        for (name, value) in tensors {
            let (shape, strides) = (value.shape.as_deref()?, value.stride.as_deref()?);
            let layout = Layout::strided(shape, strides, value.offset.unwrap_or(0)).ok()?;
            if layout.storage_end() > MOST_ELEMENTS {
                return None;
            }
            let dtype = value.dtype.as_deref().and_then(DType::from_name).unwrap_or(DType::F32);
            let number = value.storage.unwrap_or(0);
            let storage = numbers.iter().position(|known| *known == number).unwrap_or_else(|| {
                numbers.push(number);
                model.storages.push(Storage { dtype, len: 0, numbers: Numbers::Known(BTreeMap::new()) });
                numbers.len() - 1
            });
            let over = &mut model.storages[storage];
            over.len = over.len.max(layout.storage_end());
            if let Numbers::Known(known) = &mut over.numbers {
                place(&value.contents, strides, layout.offset(), known);
            }
            model.tensors.push(Tensor::new(name.clone(), dtype, storage, layout));
        }
        Some(model)
    }

    /// Runs the program: all views, then all writes. Writes that name no element are left out: the reader
    /// has changed the shape under them.
    pub fn run(mut self, views: &[Statement], writes: &[Write]) -> Self {
        for statement in views {
            let tensor = self.follow(statement);
            self.tensors.extend(tensor);
        }
        for Write { name, index, value } in writes {
            let tensor = self.tensor(name).filter(|tensor| tensor.refusal.is_none() && tensor.has(index));
            if let Some(tensor) = tensor {
                self.written.push((tensor.place(index), stored(tensor.dtype, *value)));
            }
        }
        self
    }

    fn follow(&mut self, Statement { name, source, expr }: &Statement) -> Option<Tensor> {
        let base = self.tensor(&expr.name).filter(|_| self.tensor(name).is_none())?;
        let mut tensor = Tensor {
            name: name.clone(),
            source: Some(source.clone()),
            base: Some(base.name.clone()),
            stages: Vec::new(),
            ..base.clone()
        };
        if base.refusal.is_some() {
            tensor.refusal = Some(format!("{} does not exist: see there.", base.name));
            return Some(tensor);
        }
        for (op, text) in &expr.ops {
            let stage = match op.apply(&tensor.layout) {
                Ok(stage) => stage,
                Err(error) => {
                    tensor.refusal = Some(error.to_string());
                    break;
                }
            };
            let mut copied_bytes = None;
            if let Stage::Copy { from, to } = &stage {
                copied_bytes = Some(tensor.bytes_of(to));
                let numbers = Numbers::Copy { storage: tensor.storage, layout: from.clone() };
                self.storages.push(Storage { dtype: tensor.dtype, len: to.numel(), numbers });
                tensor.storage = self.storages.len() - 1;
            }
            tensor.layout = stage.layout().clone();
            tensor.stages.push((text.clone(), copied_bytes));
        }
        Some(tensor)
    }

    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// How many elements a storage has, and whether it is a copy.
    pub fn storage(&self, storage: usize) -> (usize, bool) {
        let Storage { len, numbers, .. } = &self.storages[storage];
        (*len, matches!(numbers, Numbers::Copy { .. }))
    }

    /// The storages that some tensor shows, with the names of those tensors.
    pub fn storages(&self) -> Vec<(usize, Vec<&str>)> {
        let names = |storage| {
            let tensors = self.tensors.iter().filter(move |tensor| tensor.storage == storage);
            (storage, tensors.map(|tensor| tensor.name.as_str()).collect::<Vec<_>>())
        };
        (0..self.storages.len()).map(names).filter(|(_, names)| !names.is_empty()).collect()
    }

    pub fn value(&self, place: (usize, usize)) -> Option<f64> {
        self.written(place).or_else(|| self.original(place))
    }

    pub fn written(&self, place: (usize, usize)) -> Option<f64> {
        self.written.iter().rev().find(|(written, _)| *written == place).map(|(_, value)| *value)
    }

    fn original(&self, (storage, element): (usize, usize)) -> Option<f64> {
        let Storage { dtype, numbers, .. } = &self.storages[storage];
        match numbers {
            Numbers::Counting => Some(stored(*dtype, element as f64)),
            Numbers::Known(known) => known.get(&element).copied(),
            Numbers::Copy { storage, layout } => {
                let index = unravel(element, layout.shape());
                self.original((*storage, layout.storage_index(&index)))
            }
        }
    }
}

/// Puts the numbers that a trace has to their places in the storage, if strides lead to some.
fn place(contents: &Json, strides: &[usize], at: usize, known: &mut BTreeMap<usize, f64>) {
    if let (Json::Array(items), [stride, inner @ ..]) = (contents, strides) {
        for (index, item) in items.iter().enumerate() {
            if let Some(at) = index.checked_mul(*stride).and_then(|step| at.checked_add(step)) {
                place(item, inner, at, known);
            }
        }
    } else if let Some(number) = number_of(contents) {
        known.insert(at, number);
    }
}

/// The index of the `element`-th element of a shape in row-major order.
pub fn unravel(mut element: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (at, size) in index.iter_mut().zip(shape).rev() {
        *at = element % size.max(&1);
        element /= size.max(&1);
    }
    index
}

#[cfg(test)]
mod tests {
    use super::super::program::{read_shape, read_views, read_writes};
    use super::*;

    fn run(shape: &str, views: &str, writes: &str) -> Model {
        let start = Model::counting(&read_shape(shape).unwrap()).unwrap();
        start.run(&read_views(views).unwrap(), &read_writes(writes).unwrap())
    }

    fn at(model: &Model, name: &str, index: &[usize]) -> f64 {
        model.value(model.tensor(name).unwrap().place(index)).unwrap()
    }

    #[test]
    fn a_copy_has_a_storage_of_its_own() {
        let model = run("2, 3", "y = x.T.contiguous(); z = y.view(2, 3); w = z.T.reshape(6)", "x[0, 1] = 7");
        let y = model.tensor("y").unwrap();
        assert_eq!((y.storage, y.stages[1].1), (1, Some(24)));
        assert_eq!(at(&model, "x", &[0, 1]), 7.0);
        assert_eq!(at(&model, "y", &[1, 0]), 1.0, "the copy was made before the write");
        let values: Vec<_> = (0..6).map(|i| at(&model, "w", &[i])).collect();
        assert_eq!(values, [0.0, 4.0, 3.0, 2.0, 1.0, 5.0]);
        assert_eq!(model.storages(), [(0, vec!["x"]), (1, vec!["y", "z"]), (2, vec!["w"])]);
    }

    #[test]
    fn real_storages_are_shared_written_and_copied() {
        let tensor = |name: &str, shape: [usize; 2], stride: [usize; 2], storage, contents| {
            let (shape, stride) = (Some(shape.to_vec()), Some(stride.to_vec()));
            let dtype = Some("torch.bfloat16".to_owned());
            let value = Value { contents, dtype, shape, stride, storage: Some(storage), ..Value::default() };
            (name.to_owned(), value)
        };
        let rows = |a: f64| {
            Json::from_iter([vec![Json::from(a), 1.5.into(), "…".into()], vec![3.0.into(), "…".into()]])
        };
        let start = [
            tensor("x", [2, 3], [3, 1], 4, rows(100.0)),
            tensor("z", [3, 2], [1, 3], 4, Json::from_iter([vec![100.0, 3.0]])),
            tensor("w", [2, 3], [3, 1], 9, rows(1.0)),
        ];
        let views = read_views("y = z.contiguous(); x = w; q = z.view(6)").unwrap();
        let model = Model::of_trace(&start).unwrap();
        let model = model.run(&views, &read_writes("z[1, 0] = 1.01; w[0, 0] = 7").unwrap());
        assert_eq!((at(&model, "x", &[0, 1]), at(&model, "y", &[1, 0])), (1.0078125, 1.5));
        assert_eq!((at(&model, "x", &[0, 0]), at(&model, "w", &[0, 0])), (100.0, 7.0));
        assert_eq!(model.value((0, 5)), None, "the trace had left it out");
        let y = model.tensor("y").unwrap();
        assert_eq!((y.stages[0].1, model.storage(y.storage)), (Some(12), (6, true)));
        assert_eq!(model.storages()[0].1, ["x", "z", "q"]);
        assert!(model.tensor("q").unwrap().refusal.is_some() && model.tensors.len() == 5, "one x is enough");
        assert_eq!(Model::of_trace(&[tensor("x", [2, 3], [usize::MAX, 1], 0, Json::Null)]), None);
    }

    #[test]
    fn large_tensors_are_exact_and_cost_nothing() {
        let model = run("49152, 12288", "y = x.T[5, 7:]; z = y.contiguous()", "");
        let y = model.tensor("y").unwrap();
        assert_eq!((y.layout.strides(), y.layout.offset()), (&[12288][..], 5 + 7 * 12288));
        assert_eq!(model.tensor("z").unwrap().stages[0].1, Some((49152 - 7) * 4));
        assert_eq!(at(&model, "z", &[1]), f64::from((5 + 8 * 12288) as f32));
    }

    #[test]
    fn what_hangs_on_a_refused_view_says_so() {
        let model = run("2, 3", "y = x.T.view(6); z = y[0]", "y[0, 0] = 5; nobody[0] = 1; x[9, 9] = 1");
        assert_eq!(model.tensor("y").unwrap().stages.len(), 1);
        assert!(model.tensor("z").unwrap().refusal.is_some() && model.written.is_empty());
        assert_eq!(unravel(0, &[0]), [0]);
    }
}
