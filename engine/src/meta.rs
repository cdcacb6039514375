//! A device that allocates and computes nothing, as PyTorch's `meta`: what runs on it is checked and counted by the
//! ledger as anywhere, at no cost, whatever the sizes.

use std::any::Any;
use std::future::ready;
use std::rc::Rc;

use crate::backend::{Backend, Distribution, Operand, Pending, Reduction, Scan, Storage, Update};
use crate::program::Program;
use crate::rows::Rows;
use crate::{Error, Result};

/// The device.
pub(crate) struct Meta;

struct Nothing(usize);

impl Storage for Nothing {
    fn size_bytes(&self) -> usize {
        self.0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Backend for Meta {
    fn device_type(&self) -> &'static str {
        "meta"
    }

    fn name(&self) -> String {
        "meta".to_owned()
    }

    fn allocate(&self, bytes: usize) -> Result<Rc<dyn Storage>> {
        Ok(Rc::new(Nothing(bytes)))
    }

    fn upload(&self, bytes: &[u8]) -> Result<Rc<dyn Storage>> {
        self.allocate(bytes.len())
    }

    fn write(&self, _: &dyn Storage, _: usize, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn download(&self, _: &dyn Storage) -> Pending<'static, Vec<u8>> {
        let message = "Cannot copy out of meta tensor; no data!".to_owned();
        Box::pin(ready(Err(Error::NotImplemented { op: "_to_copy", message })))
    }

    fn synchronize(&self) -> Pending<'_, ()> {
        Box::pin(ready(Ok(())))
    }

    fn matmul(&self, _: Operand<'_>, _: Operand<'_>, _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn matmul_then(
        &self,
        _: Operand<'_>,
        _: Operand<'_>,
        _: &Program,
        _: &[Operand<'_>],
        _: Operand<'_>,
    ) -> Result<()> {
        Ok(())
    }

    fn map(&self, _: &Program, _: &[Operand<'_>], _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn reduce(&self, _: Reduction, _: f64, _: Operand<'_>, _: &[usize], _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn gather(&self, _: Operand<'_>, _: Operand<'_>, _: usize, _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn scatter_add(&self, _: Operand<'_>, _: Operand<'_>, _: Operand<'_>, _: usize) -> Result<()> {
        Ok(())
    }

    fn rows(&self, _: Rows, _: &[Option<Operand<'_>>], _: &[Operand<'_>]) -> Result<()> {
        Ok(())
    }

    fn scatter(&self, _: Operand<'_>, _: Operand<'_>, _: Operand<'_>, _: usize) -> Result<()> {
        Ok(())
    }

    fn scan(&self, _: Scan, _: Operand<'_>, _: usize, _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn sort(&self, _: Operand<'_>, _: usize, _: bool, _: Operand<'_>, _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn arg_extreme(&self, _: bool, _: Operand<'_>, _: usize, _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn philox(&self, _: u64, _: u128, _: Distribution, _: Operand<'_>) -> Result<()> {
        Ok(())
    }

    fn update(
        &self,
        _: Update,
        _: Operand<'_>,
        _: Operand<'_>,
        _: &[Operand<'_>],
        _: Option<Operand<'_>>,
    ) -> Result<()> {
        Ok(())
    }
}
