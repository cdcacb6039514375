//! Addresses of versions 1 and 2: those of the workbench, whose cells are tools now.

type Pairs = Vec<(String, String)>;

/// The pairs of an address as this version writes them; those of this version stay as they are.
pub(super) fn renewed(pairs: Pairs) -> Pairs {
    let get = |wanted: &str| pairs.iter().find(|(key, _)| key == wanted).map(|(_, text)| text.as_str());
    let (cell, version) = (get("cell"), get("v"));
    if cell.is_none() || !matches!(version, None | Some("1" | "2")) {
        return pairs;
    }
    // The training run was a part of the cell about products at first: its last steps.
    let is_time =
        cell == Some("flops") && version == Some("1") && matches!(get("step"), Some("3" | "4" | "5"));
    let renew = |(key, text): (String, String)| match key.strip_prefix("flops.") {
        // Tools have no steps, and leave out what is as the calculators have it.
        _ if key == "v" || key == "step" || key.ends_with(".step") => None,
        None if key.starts_with("calc.") && text.is_empty() => None,
        None if key == "cell" && is_time => Some((key, "time".to_owned())),
        None => Some((key, text)),
        Some("n") => Some(("calc.params".to_owned(), text)),
        Some("rate") => Some(("calc.dtype".to_owned(), text)),
        Some(name) => Some((format!("calc.{name}"), text)),
    };
    pairs.into_iter().filter_map(renew).collect()
}

#[cfg(test)]
mod tests {
    use super::super::query;
    use super::*;

    #[test]
    fn links_of_the_workbench_lead_to_its_tools() {
        for (query, wanted) in [
            ("?v=2&cell=strides&step=4&strides.at=0,0", "?cell=strides&strides.at=0,0"),
            ("?v=2&cell=time&step=2&time.step=3&calc.mfu", "?cell=time"),
            ("?v=1&cell=flops&step=1&flops.b=4096", "?cell=flops&calc.b=4096"),
            ("?v=1&cell=flops&step=3&flops.n=8B", "?cell=time&calc.params=8B"),
            ("?v=1&cell=flops&step=5&flops.rate=fp8", "?cell=time&calc.dtype=fp8"),
            ("?cell=flops&flops.tokens=1T", "?cell=flops&calc.tokens=1T"),
            ("?v=3&cell=time&step=2", "?v=3&cell=time&step=2"),
            ("?v=1&lecture=a&step=4", "?v=1&lecture=a&step=4"),
        ] {
            let pairs = renewed(query::read(query));
            let now = query::write(pairs.iter().map(|(key, text)| (key.as_str(), text.as_str())));
            assert_eq!(now, wanted, "{query}");
        }
    }
}
