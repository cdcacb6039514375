//! What a doctor says of devices that are well, and of one that is not.

use std::collections::BTreeSet;

use napkin_engine::Result;
use napkin_engine::backend::Storage;
use napkin_engine::cpu::Cpu;
use napkin_engine::doctor::{Doctor, Finding, Progress};
use napkin_engine::measure::{Chains, Probe, Stream, Traits};

use crate::bench::Faulty;
use crate::common::on_every_probe;

fn families(device: &dyn Probe) -> Vec<Finding> {
    let (mut begun, mut findings) = (Vec::new(), Vec::new());
    let hear = |progress: Progress<'_>| match progress {
        Progress::Begins(kernel, dtype) => begun.push((kernel.to_owned(), dtype)),
        Progress::Ends(finding) => findings.push(finding),
    };
    pollster::block_on(Doctor::new(device, hear).families());
    let ended: Vec<_> = findings.iter().map(|finding| (finding.kernel.clone(), finding.dtype)).collect();
    assert_eq!(begun, ended);
    findings
}

#[test]
fn every_family_is_right_on_every_device() {
    on_every_probe(|device| {
        let findings = families(device);
        for finding in &findings {
            assert_eq!(finding.fault, None, "{} on {}", finding.kernel, device.name());
        }
        // Every twin is asked, but for the parts of others and the kernels of products.
        let twins = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/twin")).unwrap();
        let twins =
            twins.map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
        let asked: BTreeSet<&str> = findings.iter().map(|finding| finding.kernel.as_str()).collect();
        for twin in twins.filter(|name| name != "mod" && name != "codec" && !name.starts_with("matmul_")) {
            assert!(asked.contains(twin.as_str()), "nobody asks {twin}");
        }
    });
}

#[test]
fn a_device_that_lies_is_found_out() {
    for writes in [true, false] {
        let findings = families(&Faulty { cpu: Cpu::new(), writes });
        let products = |finding: &&Finding| ["matmul", "dot"].contains(&finding.kernel.as_str());
        assert!(findings.iter().filter(products).count() > 0);
        for finding in &findings {
            assert_eq!(finding.fault.is_some(), products(&finding), "{finding:?}");
        }
    }
}

impl Probe for Faulty {
    fn traits(&self) -> Traits {
        self.cpu.traits()
    }

    fn beside(&self, width: usize) -> usize {
        self.cpu.beside(width)
    }

    fn fma(&self, chains: &Chains, out: &dyn Storage) -> Result<()> {
        self.cpu.fma(chains, out)
    }

    fn sums(&self, quads: usize) -> usize {
        self.cpu.sums(quads)
    }

    fn stream(&self, stream: &Stream, x: &dyn Storage, out: &dyn Storage) -> Result<()> {
        self.cpu.stream(stream, x, out)
    }
}
