//! What a device has to be before anything is computed with it.

use crate::catalogue::{self, Bounds, Figure, list};
use crate::hardware::{Device, PeakDerivation};
use crate::{DType, Error, Result};

const RATE: Bounds = Bounds { least: 1e6, most: 1e21, unit: "operations per second" };
const FACTOR: Bounds = Bounds { least: 1.0, most: 16.0, unit: "times the dense rate" };
const MEMORY: Bounds = Bounds { least: 1e6, most: 1e18, unit: "bytes" };
const BANDWIDTH: Bounds = Bounds { least: 1e6, most: 1e18, unit: "bytes per second" };
const POWER: Bounds = Bounds { least: 0.01, most: 1e6, unit: "watts" };
const PRICE: Bounds = Bounds { least: 1e-6, most: 1e6, unit: "dollars" };

impl Device {
    /// Reads a device that a reader adds: the same JSON as in `data/hardware.json`, of which `id` and `name` are
    /// required; a figure without `mark` is unverified.
    ///
    /// # Errors
    /// [`Error::Record`] for text that is no such record, [`Error::Input`] for a figure or a list out of bounds: a
    /// sentence that names the field and the rule.
    pub fn from_json(text: &str) -> Result<Self> {
        let device: Self = catalogue::read("device", text)?;
        device.check()?;
        Ok(device)
    }

    /// Every figure with the field that it is in, as `peaks.bf16` or `memory_bytes`.
    pub fn figures(&self) -> impl Iterator<Item = (String, &Figure)> {
        self.bounded().map(|(field, figure, _)| (field, figure))
    }

    fn bounded(&self) -> impl Iterator<Item = (String, &Figure, &'static Bounds)> {
        let peaks = self.peaks.iter().map(|p| (format!("peaks.{}", p.dtype), &p.figure, &RATE));
        let sums = self.accumulate.iter().map(|p| (format!("accumulate.{}", p.dtype), &p.figure, &RATE));
        let matmul = self.matmul.iter().map(|p| (format!("matmul.{}", p.dtype), &p.figure, &RATE));
        let links = self.links.iter().map(|l| (format!("links.{}", l.name), &l.bytes_per_sec, &BANDWIDTH));
        let single = [
            ("sparse", self.sparse.as_ref().map(|sparse| &sparse.figure), &FACTOR),
            ("memory_bytes", self.memory_bytes.as_ref(), &MEMORY),
            ("bandwidth_bytes_per_sec", self.bandwidth_bytes_per_sec.as_ref(), &BANDWIDTH),
            ("power_watts", self.power_watts.as_ref(), &POWER),
            ("price_per_gpu_hour", self.price_per_gpu_hour.as_ref(), &PRICE),
        ];
        let single = single
            .into_iter()
            .filter_map(|(field, figure, bounds)| figure.map(|figure| (field.to_owned(), figure, bounds)));
        peaks.chain(sums).chain(matmul).chain(links).chain(single)
    }

    fn check(&self) -> Result<()> {
        catalogue::check_names(self)?;
        for (field, figure, bounds) in self.bounded() {
            figure.check(&field, bounds)?;
        }
        let with = self.peaks.iter().map(|p| (p.dtype, p.derivation.as_ref()));
        let sums = self.accumulate.iter().map(|p| (p.dtype, p.derivation.as_ref()));
        for (dtype, derivation) in with.chain(sums) {
            if let Some(derivation) = derivation {
                derivation.check(dtype)?;
            }
        }
        let peaks: Vec<DType> = self.peaks.iter().map(|peak| peak.dtype).collect();
        let named = |dtypes: &[DType]| list(dtypes.iter().map(|dtype| dtype.name()));
        let twice = peaks.iter().enumerate().any(|(i, dtype)| peaks[..i].contains(dtype));
        if twice || peaks.iter().any(|dtype| self.lacks.contains(dtype)) {
            let rule =
                format!("one peak per dtype, and none of those that it lacks ({})", named(&self.lacks));
            return Err(Error::input("peaks", rule, &named(&peaks)));
        }
        if let Some(without) = self.accumulate.iter().find(|peak| peak.accumulator.is_none()) {
            let rule = "rates with an accumulator each, the format in which products are summed";
            return Err(Error::input("accumulate", rule, without.dtype.name()));
        }
        if let Some(sparse) = &self.sparse
            && let Some(without) = sparse.dtypes.iter().find(|dtype| !peaks.contains(dtype))
        {
            return Err(Error::input(
                "sparse.dtypes",
                format!("among those with a peak ({})", named(&peaks)),
                without.name(),
            ));
        }
        Ok(())
    }
}

impl PeakDerivation {
    /// The rate, in FLOP/s: clock × FMA per cycle and unit × units × 2.
    #[must_use]
    pub fn flop_per_sec(&self) -> f64 {
        self.clock_hz * self.fma_per_cycle_and_unit * self.units * 2.0
    }

    fn check(&self, dtype: DType) -> Result<()> {
        let factors = [self.clock_hz, self.fma_per_cycle_and_unit, self.units];
        if factors.iter().all(|&factor| factor > 0.0)
            && (RATE.least..=RATE.most).contains(&self.flop_per_sec())
        {
            return Ok(());
        }
        let rule = "factors greater than 0 whose product is a rate from 1e6 to 1e21";
        Err(Error::input(&format!("peaks.{dtype}.derivation"), rule, &self.flop_per_sec().to_string()))
    }
}
