//! Values as they are at one moment, cut where they are long.

use std::collections::BTreeMap;

use napkin_engine::{Scalar, Tensor};
use napkin_trace::trace::{Json, REST, Value};
use rustpython_vm::builtins::{PyDict, PyFloat, PyInt, PyList, PySet, PyStr, PyTuple};
use rustpython_vm::{AsObject, PyObject, PyObjectRef, PyRef, VirtualMachine};

use crate::torch::PyTensor;
use crate::wait::wait;

/// Whole numbers up to here are exact wherever JSON is read.
const EXACT: i64 = 1 << 53;

/// How much of a value is kept.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// About so many bytes of JSON.
    pub(crate) bytes: usize,
    /// Elements of a sequence, a dict or a dimension.
    pub(crate) items: usize,
    /// Elements of a tensor.
    pub(crate) elements: usize,
}

/// For variables.
pub(crate) const VARIABLE: Bounds = Bounds { bytes: 4096, items: 32, elements: 64 };
/// For variables that are written down whole.
pub(crate) const WHOLE: Bounds = Bounds { bytes: 256 << 20, items: 1 << 24, elements: 1 << 24 };
/// For what is drawn.
pub(crate) const DRAWING: Bounds = Bounds { bytes: 256 << 10, items: 4096, elements: 4096 };
/// Sequences within sequences.
const DEPTH: usize = 6;

/// Numbers of storages, in the order in which they are seen.
#[derive(Debug, Default)]
pub(crate) struct Storages(BTreeMap<u64, u32>);

impl Storages {
    fn number(&mut self, address: u64) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(address).or_insert(next)
    }
}

/// Takes values.
pub(crate) struct Snapshots<'a> {
    pub(crate) vm: &'a VirtualMachine,
    pub(crate) storages: &'a mut Storages,
    pub(crate) bounds: Bounds,
    left: usize,
}

impl<'a> Snapshots<'a> {
    pub(crate) fn new(vm: &'a VirtualMachine, storages: &'a mut Storages, bounds: Bounds) -> Self {
        Self { vm, storages, bounds, left: bounds.bytes }
    }

    /// A variable's value.
    pub(crate) fn value(&mut self, object: &PyObject) -> Value {
        self.left = self.bounds.bytes;
        self.at(object, 0)
    }

    /// Data to draw: dicts, lists, numbers and texts as they are, without their types.
    pub(crate) fn data(&mut self, object: &PyObject) -> Json {
        self.left = self.bounds.bytes;
        self.plain(object, 0)
    }

    fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }

    fn at(&mut self, object: &PyObject, depth: usize) -> Value {
        let kind = class_name(object, self.vm);
        self.spend(kind.len() + 24);
        if let Some(tensor) = object.downcast_ref::<PyTensor>() {
            return self.tensor(kind, &tensor.get());
        }
        let contents = match self.scalar(object) {
            Some(scalar) => scalar,
            None => self.structure(object, depth),
        };
        Value { kind, contents, ..Value::default() }
    }

    fn structure(&mut self, object: &PyObject, depth: usize) -> Json {
        if depth >= DEPTH {
            return Json::String(REST.to_owned());
        }
        if let Some(items) = sequence(object, self.bounds.items + 1) {
            return Json::Array(self.all(&items, |this, item| nested(this.at(item, depth + 1))));
        }
        if let Some(entries) = self.entries(object) {
            return Json::Object(self.named(entries, |this, value| nested(this.at(value, depth + 1))));
        }
        self.text(object)
    }

    fn plain(&mut self, object: &PyObject, depth: usize) -> Json {
        self.spend(8);
        if let Some(tensor) = object.downcast_ref::<PyTensor>() {
            let kind = class_name(object, self.vm);
            return nested(self.tensor(kind, &tensor.get()));
        }
        if let Some(scalar) = self.scalar(object) {
            return scalar;
        }
        if depth < DEPTH
            && let Some(items) = sequence(object, self.bounds.items + 1)
        {
            return Json::Array(self.all(&items, |this, item| this.plain(item, depth + 1)));
        }
        if depth < DEPTH
            && let Some(dict) = object.downcast_ref::<PyDict>()
        {
            let entries = dict.into_iter().take(self.bounds.items + 1).collect();
            return Json::Object(self.named(entries, |this, value| this.plain(value, depth + 1)));
        }
        self.text(object)
    }

    /// As many as there is room for.
    fn all(&mut self, items: &[PyObjectRef], one: impl Fn(&mut Self, &PyObject) -> Json) -> Vec<Json> {
        let mut list = Vec::new();
        for item in items {
            if list.len() >= self.bounds.items || self.left == 0 {
                list.push(Json::String(REST.to_owned()));
                break;
            }
            list.push(one(self, item));
        }
        list
    }

    fn named(
        &mut self,
        entries: Vec<(PyObjectRef, PyObjectRef)>,
        one: impl Fn(&mut Self, &PyObject) -> Json,
    ) -> serde_json::Map<String, Json> {
        let mut map = serde_json::Map::new();
        for (key, value) in entries {
            if map.len() >= self.bounds.items || self.left == 0 {
                map.insert(REST.to_owned(), Json::String(REST.to_owned()));
                break;
            }
            let key = self.cut(&text_of(&key, self.vm));
            let value = one(self, &value);
            map.insert(key, value);
        }
        map
    }

    /// The entries of a dict, or the fields of a dataclass.
    fn entries(&self, object: &PyObject) -> Option<Vec<(PyObjectRef, PyObjectRef)>> {
        if let Some(dict) = object.downcast_ref::<PyDict>() {
            return Some(dict.into_iter().take(self.bounds.items + 1).collect());
        }
        let fields = object.class().as_object().get_attr("__dataclass_fields__", self.vm).ok()?;
        let names = fields.downcast_ref::<PyDict>()?.keys_vec();
        let field = |name: PyObjectRef| {
            let value = object.get_attr(name.downcast_ref::<PyStr>()?, self.vm).ok()?;
            Some((name, value))
        };
        Some(names.into_iter().filter_map(field).collect())
    }

    fn scalar(&mut self, object: &PyObject) -> Option<Json> {
        let vm = self.vm;
        if vm.is_none(object) {
            return Some(Json::Null);
        }
        // `True` is an int, too.
        if object.class().is(vm.ctx.types.bool_type) {
            return object.to_owned().is_true(vm).ok().map(Json::Bool);
        }
        if let Some(int) = object.downcast_ref::<PyInt>() {
            return Some(match int.try_to_primitive::<i64>(vm) {
                Ok(value) if value.abs() <= EXACT => Json::from(value),
                _ => Json::String(self.cut(&text_of(object, vm))),
            });
        }
        if let Some(float) = object.downcast_ref::<PyFloat>() {
            return Some(self::float(float.to_f64()));
        }
        object.downcast_ref::<PyStr>().map(|text| Json::String(self.cut(&text.to_string_lossy())))
    }

    fn text(&mut self, object: &PyObject) -> Json {
        Json::String(self.cut(&text_of(object, self.vm)))
    }

    /// As much of a text as there is room for.
    fn cut(&mut self, text: &str) -> String {
        let kept = text.floor_char_boundary(self.left);
        self.spend(kept);
        if kept == text.len() { text.to_owned() } else { text[..kept].to_owned() + REST }
    }

    fn tensor(&mut self, kind: String, tensor: &Tensor) -> Value {
        let layout = tensor.layout();
        let contents = match self.corner(tensor) {
            _ if tensor.device().is_meta() => Json::String("no elements: it is on meta".to_owned()),
            Ok(contents) => contents,
            Err(error) => Json::String(error.to_string()),
        };
        let storage = self.storages.number(tensor.storage_address());
        Value {
            kind,
            contents,
            dtype: Some(format!("torch.{}", tensor.dtype().name())),
            shape: Some(layout.shape().to_vec()),
            stride: Some(layout.strides().to_vec()),
            offset: Some(layout.offset()),
            storage: Some(storage),
            device: Some(tensor.device().to_string()),
            requires_grad: Some(tensor.requires_grad()),
        }
    }

    /// The first elements in each dimension, as nested lists.
    fn corner(&mut self, tensor: &Tensor) -> napkin_engine::Result<Json> {
        let mut room = self.bounds.elements.min(self.left / 8).max(1);
        let mut sizes = tensor.shape().to_vec();
        let wanted = if tensor.numel() <= room { usize::MAX } else { room.isqrt() };
        for (at, size) in sizes.iter_mut().enumerate().rev() {
            *size = (*size).min(room).min(if at == 0 { usize::MAX } else { wanted });
            room /= (*size).max(1);
        }
        let values = wait(tensor.corner(&sizes))?;
        self.spend(8 * values.len());
        Ok(lists(&mut values.into_iter(), &sizes, tensor.shape()))
    }
}

fn lists(values: &mut impl Iterator<Item = Scalar>, kept: &[usize], shape: &[usize]) -> Json {
    let ([kept, inner @ ..], [size, shape @ ..]) = (kept, shape) else {
        return values.next().map_or(Json::Null, scalar);
    };
    let mut list: Vec<Json> = (0..*kept).map(|_| lists(values, inner, shape)).collect();
    if kept < size {
        list.push(Json::String(REST.to_owned()));
    }
    Json::Array(list)
}

fn scalar(value: Scalar) -> Json {
    match value {
        Scalar::Bool(value) => Json::Bool(value),
        Scalar::Int(value) if value.unsigned_abs() <= EXACT.unsigned_abs() => Json::from(value),
        Scalar::Int(value) => Json::String(value.to_string()),
        Scalar::Float(value) => float(value),
    }
}

fn float(value: f64) -> Json {
    match value {
        _ if value.is_finite() => Json::from(value),
        _ if value.is_nan() => Json::String("nan".to_owned()),
        _ if value > 0.0 => Json::String("inf".to_owned()),
        _ => Json::String("-inf".to_owned()),
    }
}

/// A value within another, as it is written.
fn nested(value: Value) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

/// At most so many of what is listed, if it is a list, a tuple or a set.
pub(super) fn sequence(object: &PyObject, most: usize) -> Option<Vec<PyObjectRef>> {
    let first = |items: &[PyObjectRef]| items[..items.len().min(most)].to_vec();
    if let Some(list) = object.downcast_ref::<PyList>() {
        return Some(first(&list.borrow_vec()));
    }
    if let Some(tuple) = object.downcast_ref::<PyTuple>() {
        return Some(first(tuple.as_slice()));
    }
    object.downcast_ref::<PySet>().map(|set| first(&set.elements()))
}

/// The class of an object, with its module unless that is `builtins`.
fn class_name(object: &PyObject, vm: &VirtualMachine) -> String {
    let (class, types) = (object.class(), &vm.ctx.types);
    let name = class.name().to_string();
    // What most variables are need not be asked for its module.
    let common = [types.int_type, types.float_type, types.str_type, types.list_type, types.dict_type];
    if common.into_iter().any(|common| class.is(common)) {
        return name;
    }
    let module = class.as_object().get_attr("__module__", vm).ok();
    match module.and_then(|module| module.downcast::<PyStr>().ok()) {
        Some(module) if module.to_string_lossy() != "builtins" => {
            format!("{}.{name}", module.to_string_lossy())
        }
        _ => name,
    }
}

/// `str(object)`, or its class where that fails.
fn text_of(object: &PyObject, vm: &VirtualMachine) -> String {
    let text: Option<PyRef<PyStr>> = object.str(vm).ok();
    text.map_or_else(|| format!("<{}>", class_name(object, vm)), |text| text.to_string_lossy().into_owned())
}
