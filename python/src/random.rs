//! The module `_random`: the Mersenne twister as CPython seeds it.

pub(crate) use native::module_def;

#[rustpython_vm::pymodule(name = "_random")]
mod native {
    #![allow(clippy::needless_pass_by_value, reason = "Python gives arguments away")]

    use std::cell::RefCell;

    use malachite_bigint::BigUint;
    use mt19937::{MT19937, N, gen_res53};
    use rand_core::Rng;
    use rustpython_vm::builtins::{PyInt, PyTuple, PyType};
    use rustpython_vm::function::{FuncArgs, OptionalArg};
    use rustpython_vm::types::Constructor;
    use rustpython_vm::{
        Py, PyObjectRef, PyPayload, PyRef, PyResult, TryFromObject, VirtualMachine, pyclass,
    };

    use crate::trace::reached_out;

    #[pyattr]
    #[pyclass(name = "Random")]
    #[derive(Debug, PyPayload)]
    struct PyRandom(RefCell<MT19937>);

    impl Constructor for PyRandom {
        type Args = FuncArgs;

        fn py_new(_class: &Py<PyType>, args: FuncArgs, vm: &VirtualMachine) -> PyResult<Self> {
            Ok(Self(RefCell::new(seeded(args.args.first(), vm)?)))
        }
    }

    /// By the magnitude of an integer, the hash of anything else, or for nothing by chance.
    fn seeded(seed: Option<&PyObjectRef>, vm: &VirtualMachine) -> PyResult<MT19937> {
        let key = match seed.filter(|seed| !vm.is_none(seed)) {
            None => {
                let words = (0..16).map(|_| getrandom::u32()).collect::<Result<Vec<_>, _>>();
                words.map_err(|error| vm.new_os_error(error.to_string()))?
            }
            Some(seed) => match seed.downcast_ref::<PyInt>() {
                Some(seed) => seed.as_bigint().magnitude().to_u32_digits(),
                None => BigUint::from(seed.hash(vm)?.unsigned_abs()).to_u32_digits(),
            },
        };
        Ok(MT19937::new_with_slice_seed(if key.is_empty() { &[0] } else { &key }))
    }

    #[pyclass(flags(BASETYPE), with(Constructor))]
    impl PyRandom {
        #[pymethod]
        fn random(zelf: &Py<Self>) -> f64 {
            reached_out();
            gen_res53(&mut *zelf.0.borrow_mut())
        }

        #[pymethod]
        fn seed(zelf: &Py<Self>, seed: OptionalArg<PyObjectRef>, vm: &VirtualMachine) -> PyResult<()> {
            reached_out();
            zelf.0.replace(seeded(seed.into_option().as_ref(), vm)?);
            Ok(())
        }

        #[pymethod]
        fn getrandbits(zelf: &Py<Self>, bits: i64, vm: &VirtualMachine) -> PyResult<PyRef<PyInt>> {
            reached_out();
            if bits < 0 {
                return Err(vm.new_value_error("number of bits must be non-negative"));
            }
            if bits > 1 << 31 {
                return Err(vm.new_overflow_error("getrandbits() takes at most 2**31 bits"));
            }
            let mut twister = zelf.0.borrow_mut();
            // Lowest words first; the last has fewer bits, its topmost.
            let words = (0..(bits as u64).div_ceil(32))
                .map(|word| {
                    let left = bits as u64 - 32 * word;
                    let drawn = twister.next_u32();
                    if left < 32 { drawn >> (32 - left) } else { drawn }
                })
                .collect();
            Ok(vm.ctx.new_bigint(&BigUint::new(words).into()))
        }

        #[pymethod]
        fn getstate(zelf: &Py<Self>, vm: &VirtualMachine) -> PyRef<PyTuple> {
            reached_out();
            let twister = zelf.0.borrow();
            let index = twister.get_index() as u32;
            let words = twister.get_state().iter().chain([&index]);
            vm.ctx.new_tuple(words.map(|&word| vm.ctx.new_int(word).into()).collect())
        }

        #[pymethod]
        fn setstate(zelf: &Py<Self>, state: PyObjectRef, vm: &VirtualMachine) -> PyResult<()> {
            reached_out();
            let words = vm.extract_elements_with(&state, |word| u32::try_from_object(vm, word))?;
            let Some((state, &[index])) = words.split_first_chunk::<N>() else {
                return Err(vm.new_value_error("state vector is the wrong size"));
            };
            if index as usize > N {
                return Err(vm.new_value_error("invalid state"));
            }
            let mut twister = zelf.0.borrow_mut();
            twister.set_state(state);
            twister.set_index(index as usize);
            Ok(())
        }
    }
}
