//! A training loop, as the build writes it: whole, before there is any worker.

use leptos::prelude::*;
use napkin_trace::trace::Training;

use super::training_loop::TrainingLoop;
use crate::page::Announcer;
use crate::state::{Scope, Values};
use crate::workers::ComputeWorker;

#[test]
fn a_training_loop_begins_with_what_it_is_given() {
    let optimizer = "sgd".to_owned();
    let start = Training { dim: 3, layers: 99, batch: 4, lr: 0.01, optimizer, seed: 1, steps: 2000 };
    let cases = [
        (
            "",
            "id=\"it-dim\" value=\"3\"|id=\"it-layers\" value=\"64\"|<option value=\"sgd\" selected|\
             3 true weights, from 0 to 2; nothing learned yet.|Loss over steps; no step taken yet.",
        ),
        ("?v=3&it.dim=5", "id=\"it-dim\" value=\"5\"|5 true weights"),
    ];
    for (query, parts) in cases {
        let html = Owner::new().with(|| {
            Values::provide().take(query);
            Announcer::provide();
            ComputeWorker::provide();
            provide_context(Scope::new("it"));
            view! { <TrainingLoop start=start.clone() /> }.to_html()
        });
        for part in parts.split('|') {
            assert!(html.contains(part), "no {part} in {html}");
        }
    }
}
