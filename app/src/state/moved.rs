//! Addresses of version 1: the training run was a part of the cell about products.

use super::{Outline, assumptions};

/// Keys, and what they are called now.
const KEYS: [(&str, &str); 12] = [
    ("flops.b", "calc.b"),
    ("flops.d", "calc.d"),
    ("flops.k", "calc.k"),
    ("flops.dtype", "calc.dtype"),
    ("flops.n", "calc.params"),
    ("flops.params", "calc.params"),
    ("flops.tokens", "calc.tokens"),
    ("flops.gpu", "calc.gpu"),
    ("flops.gpus", "calc.gpus"),
    ("flops.mfu", "calc.mfu"),
    ("flops.rate", "calc.dtype"),
    ("flops.sparse", "calc.sparse"),
];

/// The cell whose last steps have moved, and where to.
const FROM: &str = "flops";
const TO: &str = "time";
/// Steps, and which they are now.
const STEPS: [(&str, &str); 3] = [("3", "0"), ("4", "2"), ("5", "3")];

/// The pairs of an address as this version writes them.
pub(super) fn renewed(mut pairs: Vec<(String, String)>, outlines: &[Outline]) -> Vec<(String, String)> {
    for (key, _) in &mut pairs {
        if let Some((_, now)) = KEYS.iter().find(|(before, _)| key == before) {
            *key = (*now).to_owned();
        }
    }
    let Some(version) = pairs.iter_mut().find(|(key, text)| key == "v" && text == "1") else { return pairs };
    super::VERSION.clone_into(&mut version.1);
    let value = |pairs: &[(String, String)], wanted: &str| {
        pairs.iter().find(|(key, _)| key == wanted).map(|(_, text)| text.clone())
    };
    let is_current = value(&pairs, "cell").as_deref() == Some(FROM);
    let key = if is_current { "step".to_owned() } else { format!("{FROM}.step") };
    let step = value(&pairs, &key);
    let Some((_, now)) = STEPS.iter().find(|(before, _)| step.as_deref() == Some(before)) else {
        return pairs;
    };
    for (known, text) in &mut pairs {
        if *known == key {
            (*now).clone_into(text);
            if !is_current {
                *known = format!("{TO}.step");
            }
        } else if known == "cell" && is_current {
            TO.clone_into(text);
        }
    }
    // A step of another cell than the current one says no more what is assumed.
    let steps = outlines.iter().find(|outline| outline.id == TO).map_or(&[][..], |outline| outline.steps);
    let step = now.parse().ok().and_then(|step: usize| steps.get(step)).filter(|_| !is_current);
    for (key, text) in step.map_or(&[][..], |step| step.set) {
        if assumptions::name(key).is_some() && value(&pairs, key).is_none() {
            pairs.push(((*key).to_owned(), (*text).to_owned()));
        }
    }
    pairs
}
