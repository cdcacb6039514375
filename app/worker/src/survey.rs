//! A device that is being measured.

use napkin_engine::Result;
use napkin_engine::measure::{Options, Survey as Measurements};
use napkin_trace::{DeviceKind, RequestId, SurveyProgress};

use crate::devices::{Hardware, explain};

/// All measurements of a device, one after the other.
pub struct Survey {
    /// The request that it answers.
    pub id: RequestId,
    device: DeviceKind,
    measurements: Measurements,
    /// Measurements in all.
    of: u32,
}

impl Survey {
    /// A survey for that request; nothing has been measured yet.
    pub fn new(
        id: RequestId,
        hardware: &Hardware,
        device: DeviceKind,
        date: String,
        measurement_ms: u32,
    ) -> Result<Self, String> {
        let options = Options {
            date,
            adapter: hardware.describe().get(device)?.name.clone(),
            // More than most caches hold, and less than a telephone has.
            memory_bytes: match device {
                DeviceKind::Cpu => 256 << 20,
                DeviceKind::Gpu => 512 << 20,
            },
            measurement_secs: f64::from(measurement_ms) / 1e3,
        };
        let measurements = Measurements::new(&hardware.device(device)?, hardware.probe(device)?, options);
        let of = measurements.next().map_or(0, |next| next.of as u32);
        Ok(Self { id, device, measurements, of })
    }

    /// Makes the next measurement.
    pub async fn advance(&mut self) -> Result<(), String> {
        self.measurements.step().await.map_err(|error| explain(self.device, &error))
    }

    /// What has been measured, and what comes next.
    pub fn progress(&self) -> Result<SurveyProgress, String> {
        let record = serde_json::to_string(self.measurements.machine()).map_err(|error| error.to_string())?;
        let (what, done) = match self.measurements.next() {
            Some(next) => (next.what, next.done as u32),
            None => (String::new(), self.of),
        };
        Ok(SurveyProgress { what, done, of: self.of, record })
    }
}
