//! Everything that a run has at a step, in one file.

use super::TextTask;
use crate::checkpoint::{Checkpoint, Contents};
use crate::error::{Error, Result};
use crate::nn::Module;
use crate::tensor::Tensor;

impl TextTask {
    /// What a checkpoint of this step holds.
    pub fn contents(&mut self) -> Contents {
        let optimizer = self.optimizer.state_dict();
        let mut values: Vec<(String, String)> = optimizer
            .numbers
            .into_iter()
            .map(|(name, number)| (format!("optimizer.{name}"), number.to_string()))
            .collect();
        values.extend(self.config.fields().map(|(name, value)| (format!("config.{name}"), value)));
        values.push(("vocabulary".into(), self.tokenizer.vocabulary()));
        values.push(("step".into(), self.steps.to_string()));
        if let Some(scaler) = &self.scaler {
            values.push(("scaler.scale".into(), scaler.get_scale().to_string()));
            values.push(("scaler.growth_tracker".into(), scaler.growth_tracker().to_string()));
        }
        let blobs = vec![
            ("random.data".to_owned(), self.data.state()),
            ("random.dropout".to_owned(), self.dropout.state()),
        ];
        Contents { tensors: self.tensors(), blobs, values }
    }

    /// Goes on from a checkpoint, on whichever device it was written.
    ///
    /// # Errors
    /// If it is that of another run: the message names what differs. Nothing has then changed.
    pub async fn resume(&mut self, file: &Checkpoint) -> Result<()> {
        for (name, own) in self.config.fields() {
            let saved = file.value(&format!("config.{name}"))?;
            if saved != own {
                let message = format!("the checkpoint was made with {name} = {saved}, this run has {own}");
                return Err(Error::Value { op: "resume", message });
            }
        }
        if file.value("vocabulary")? != self.tokenizer.vocabulary() {
            let message = "the checkpoint was made with another text: its characters differ".into();
            return Err(Error::Value { op: "resume", message });
        }
        let mut optimizer = self.optimizer.state_dict();
        for (name, number) in &mut optimizer.numbers {
            *number = file.number(&format!("optimizer.{name}"))?;
        }
        let steps = file.number("step")?;
        let mut dropout = self.dropout;
        dropout.set_state(file.blob("random.dropout")?)?;
        let scaler = match &self.scaler {
            None => None,
            Some(scaler) => {
                let mut scaler = scaler.clone();
                scaler.load_state(file.number("scaler.scale")?, file.number("scaler.growth_tracker")?)?;
                Some(scaler)
            }
        };
        let data = self.data.state();
        self.data.set_state(file.blob("random.data")?)?;
        if let Err(error) = file.load(&self.tensors()).await {
            self.data.set_state(&data)?;
            return Err(error);
        }
        self.optimizer.load_state_dict(&optimizer)?;
        (self.steps, self.dropout, self.scaler) = (steps, dropout, scaler);
        Ok(())
    }

    fn tensors(&mut self) -> Vec<(String, Tensor)> {
        let own = self.model.state_dict().into_iter().map(|(name, tensor)| (format!("model.{name}"), tensor));
        let state = self.optimizer.state_dict().tensors.into_iter();
        own.chain(state.map(|(name, tensor)| (format!("optimizer.{name}"), tensor))).collect()
    }
}
