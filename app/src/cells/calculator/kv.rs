//! The cache of keys and values.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "kv", steps: STEPS },
    name: "KV cache",
    title: written!("What does a long context cost?"),
    intro: &[written!(
        "A model that writes looks back at every token before, in every block. It keeps their keys and values, or it \
         would compute them again for each new token."
    )],
    view: || sheet("KV cache", "kv"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Two numbers per head and element"),
        text: written!(
            "A key and a value for each of the 8 heads of keys and values, 128 wide, in each of 32 blocks: a token of \
             Llama 3.1 8B takes 131.1 kB. 4096 of them are 536.9 MB."
        ),
        part: "kv",
        set: &[],
    },
    Step {
        title: written!("A large model, a long context"),
        text: written!(
            "Llama 3.1 70B has 80 blocks: 327.7 kB a token. The 131,072 tokens that it can look back on are 42.95 GB, \
             for one reader."
        ),
        part: "kv",
        set: &[("calc.architecture", "llama-3.1-70b"), ("calc.sequence", "131072")],
    },
    Step {
        title: written!("Before heads were shared"),
        text: written!(
            "In GPT-3 every query head has keys and values of its own: 4.719 MB a token, and 9.664 GB for a context of \
             only 2048."
        ),
        part: "kv",
        set: &[("calc.architecture", "gpt-3-175b"), ("calc.sequence", "2048")],
    },
    Step {
        title: written!("A latent instead"),
        text: written!(
            "DeepSeek-V3 keeps 512 numbers from which all heads' keys and values are made, and 64 that carry \
             positions: 70.27 kB a token, in a model ten times as large."
        ),
        part: "kv",
        set: &[("calc.architecture", "deepseek-v3"), ("calc.sequence", "131072")],
    },
    Step {
        title: written!("Heads, not widths"),
        text: written!(
            "Calculators that take 2·L·d are wrong for every model here: Qwen3 32B is 5120 wide, its heads of keys and \
             values together 1024."
        ),
        part: "kv",
        set: &[("calc.architecture", "qwen3-32b"), ("calc.sequence", "40960")],
    },
];
