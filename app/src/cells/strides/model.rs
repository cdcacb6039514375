//! What the program leads to: storages, tensors over them, and values.

use napkin_engine::Layout;
use napkin_engine::view_expr::Stage;

use super::program::{FIRST, Statement, Write, first_layout};

/// Bytes of one element: the tensor is of `torch.float32`.
pub const ELEMENT_BYTES: u64 = 4;

/// Where the numbers of a storage are from.
#[derive(Debug, Clone, PartialEq)]
enum Origin {
    /// `torch.arange(numel)`
    Counting,
    /// A copy of what `layout` showed of another storage, made before any write.
    Copy { storage: usize, layout: Layout },
}

/// One operation of a tensor's expression and what it led to.
#[derive(Debug, Clone, PartialEq)]
pub struct StageRow {
    /// The operation as typed.
    pub text: String,
    /// The layout after it.
    pub layout: Layout,
    /// Bytes that it copied, if it did.
    pub copied_bytes: Option<u64>,
}

/// A named tensor.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    /// Its name.
    pub name: String,
    /// The expression that makes it.
    pub source: String,
    /// Which storage it shows.
    pub storage: usize,
    /// How it shows it; up to where the expression is sound.
    pub layout: Layout,
    /// Its operations, up to where they are sound.
    pub stages: Vec<StageRow>,
    /// PyTorch's refusal of the next operation.
    pub refusal: Option<String>,
}

impl Tensor {
    /// Whether `index` is an element.
    pub fn has(&self, index: &[usize]) -> bool {
        index.len() == self.layout.rank() && index.iter().zip(self.layout.shape()).all(|(i, n)| i < n)
    }
}

/// Everything that the cell shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// `x` first.
    pub tensors: Vec<Tensor>,
    origins: Vec<Origin>,
    /// Storage, element and value; later writes come later.
    written: Vec<(usize, usize, f32)>,
}

impl Model {
    /// Runs the program: all views, then all writes. Writes that name no element are left out: the reader
    /// has changed the shape under them.
    pub fn run(shape: &[usize], views: &[Statement], writes: &[Write]) -> Result<Self, String> {
        let layout = first_layout(shape).map_err(|error| error.to_string())?;
        let first = Tensor {
            name: FIRST.to_owned(),
            source: format!("torch.arange({}.).view{}", layout.numel(), super::program::tuple(shape)),
            storage: 0,
            layout,
            stages: Vec::new(),
            refusal: None,
        };
        let mut model = Self { tensors: vec![first], origins: vec![Origin::Counting], written: Vec::new() };
        for statement in views {
            if let Some(tensor) = model.follow(statement) {
                model.tensors.push(tensor);
            }
        }
        for write in writes {
            if let Some(tensor) = model
                .tensor(&write.name)
                .filter(|tensor| tensor.refusal.is_none() && tensor.has(&write.index))
            {
                let (storage, element) = (tensor.storage, tensor.layout.storage_index(&write.index));
                model.written.push((storage, element, write.value));
            }
        }
        Ok(model)
    }

    fn follow(&mut self, statement: &Statement) -> Option<Tensor> {
        let base = self.tensor(&statement.expr.name)?;
        let mut tensor = Tensor {
            name: statement.name.clone(),
            source: statement.source.clone(),
            storage: base.storage,
            layout: base.layout.clone(),
            stages: Vec::new(),
            refusal: base.refusal.as_ref().map(|_| format!("{} does not exist: see there.", base.name)),
        };
        if tensor.refusal.is_some() {
            return Some(tensor);
        }
        for (op, text) in &statement.expr.ops {
            let stage = match op.apply(&tensor.layout) {
                Ok(stage) => stage,
                Err(error) => {
                    tensor.refusal = Some(error.to_string());
                    break;
                }
            };
            let mut copied_bytes = None;
            if let Stage::Copy { from, to } = &stage {
                copied_bytes = Some(to.numel() as u64 * ELEMENT_BYTES);
                self.origins.push(Origin::Copy { storage: tensor.storage, layout: from.clone() });
                tensor.storage = self.origins.len() - 1;
            }
            tensor.layout = stage.layout().clone();
            tensor.stages.push(StageRow { text: text.clone(), layout: tensor.layout.clone(), copied_bytes });
        }
        Some(tensor)
    }

    /// The tensor of that name.
    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// Number of elements of a storage.
    pub fn storage_len(&self, storage: usize) -> usize {
        match &self.origins[storage] {
            Origin::Counting => self.tensors[0].layout.numel(),
            Origin::Copy { layout, .. } => layout.numel(),
        }
    }

    /// The number of storages that some tensor shows, with the names of those tensors.
    pub fn storages(&self) -> Vec<(usize, Vec<String>)> {
        let names = |storage| {
            let tensors = self.tensors.iter().filter(move |tensor| tensor.storage == storage);
            tensors.map(|tensor| tensor.name.clone()).collect::<Vec<_>>()
        };
        (0..self.origins.len())
            .map(|storage| (storage, names(storage)))
            .filter(|(_, names)| !names.is_empty())
            .collect()
    }

    /// The number at an element of a storage.
    pub fn value(&self, storage: usize, element: usize) -> f64 {
        self.written(storage, element).map_or_else(|| self.original(storage, element), f64::from)
    }

    fn written(&self, storage: usize, element: usize) -> Option<f32> {
        self.written.iter().rev().find(|(s, e, _)| (*s, *e) == (storage, element)).map(|(_, _, value)| *value)
    }

    /// Whether an element has been written to.
    pub fn is_written(&self, storage: usize, element: usize) -> bool {
        self.written(storage, element).is_some()
    }

    fn original(&self, storage: usize, element: usize) -> f64 {
        match &self.origins[storage] {
            Origin::Counting => f64::from(element as f32),
            Origin::Copy { storage, layout } => {
                self.original(*storage, layout.storage_index(&unravel(element, layout.shape())))
            }
        }
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
        let (shape, views) = (read_shape(shape).unwrap(), read_views(views).unwrap());
        Model::run(&shape, &views, &read_writes(writes).unwrap()).unwrap()
    }

    fn at(model: &Model, name: &str, index: &[usize]) -> f64 {
        let tensor = model.tensor(name).unwrap();
        model.value(tensor.storage, tensor.layout.storage_index(index))
    }

    #[test]
    fn the_lectures_figures() {
        let model = run("4, 4", "", "");
        let x = &model.tensors[0];
        assert_eq!((x.layout.strides(), x.layout.storage_index(&[1, 2])), (&[4, 1][..], 6));
        let model = run("2, 3", "a = x[0]; b = x[:, 1]; c = x.view(3, 2); d = x.transpose(1, 0)", "");
        assert!(model.tensors.iter().all(|tensor| tensor.storage == 0), "all share one storage");
        let model = run("2, 3", "y = x.view(3, 2); z = x.transpose(1, 0)", "x[0][0] = 100");
        assert_eq!((at(&model, "y", &[0, 0]), at(&model, "z", &[0, 0])), (100.0, 100.0));
        let model = run("2, 3", "y = x.transpose(1, 0); z = y.view(2, 3)", "");
        let refusal = model.tensor("z").unwrap().refusal.clone().unwrap();
        assert!(
            refusal.contains("at least one dimension spans across two contiguous subspaces"),
            "{refusal}"
        );
    }

    #[test]
    fn a_copy_has_a_storage_of_its_own() {
        let model = run("2, 3", "y = x.T.contiguous(); z = y.view(2, 3); w = z.T.reshape(6)", "x[0, 1] = 7");
        let y = model.tensor("y").unwrap();
        assert_eq!((y.storage, y.stages[1].copied_bytes), (1, Some(24)));
        assert_eq!(at(&model, "x", &[0, 1]), 7.0);
        assert_eq!(at(&model, "y", &[1, 0]), 1.0, "the copy was made before the write");
        assert_eq!(model.tensor("z").unwrap().storage, 1);
        let values: Vec<_> = (0..6).map(|i| at(&model, "w", &[i])).collect();
        assert_eq!(values, [0.0, 4.0, 3.0, 2.0, 1.0, 5.0]);
        let shown: Vec<_> = model.storages().into_iter().map(|(_, names)| names.join(" ")).collect();
        assert_eq!(shown, ["x", "y z", "w"]);
    }

    #[test]
    fn large_tensors_are_exact_and_cost_nothing() {
        let model = run("49152, 12288", "y = x.T[5, 7:]; z = y.contiguous()", "");
        let y = model.tensor("y").unwrap();
        assert_eq!((y.layout.strides(), y.layout.offset()), (&[12288][..], 5 + 7 * 12288));
        assert_eq!(model.tensor("z").unwrap().stages[0].copied_bytes, Some((49152 - 7) * 4));
        assert_eq!(at(&model, "z", &[1]), f64::from((5 + 8 * 12288) as f32));
    }

    #[test]
    fn what_hangs_on_a_refused_view_says_so() {
        let model = run("2, 3", "y = x.T.view(6); z = y[0]", "y[0, 0] = 5; nobody[0] = 1; x[9, 9] = 1");
        assert_eq!(model.tensor("y").unwrap().stages.len(), 1);
        assert!(model.tensor("z").unwrap().refusal.is_some());
        assert_eq!(unravel(5, &[2, 3]), [1, 2]);
        assert_eq!(unravel(0, &[0]), [0]);
    }
}
