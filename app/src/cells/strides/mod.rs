//! Cell 1: a tensor is a view of a one-dimensional storage.

mod desk;
mod editor;
mod facts;
mod grid;
mod model;
mod program;

use crate::dom::Node;
use leptos::prelude::*;
use napkin_view::view;

use super::Cell;
use crate::state::{Outline, Step, use_cell};
use crate::widgets::{Part, TextInput, written};

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "strides", steps: STEPS },
    name: "Strides",
    title: written!("A tensor is a way of looking at a line of numbers"),
    intro: &[
        written!(
            "Memory has no rows and no columns: it is one long line. A tensor is that line, its *storage*, together \
         with a rule that says where each element lies. Change the rule, and the same numbers become another \
         matrix at no cost. Break the rule, and PyTorch has to copy."
        ),
        written!(
            "It matters because a large model is mostly matrices. Transposing one of 2 GiB takes no time and no \
         memory, and copying it by accident takes both."
        ),
    ],
    view: || view! { <Strides /> },
};

const STEPS: &[Step] = &[
    Step {
        title: written!("One line of numbers"),
        text: written!(
            "`x` has four rows of four. In memory it is sixteen numbers, one after the other. Point at any \
               square: the same number lights up in both drawings."
        ),
        part: "storage",
        set: &[("shape", "4, 4"), ("at", "1, 2")],
    },
    Step {
        title: written!("Strides"),
        text: written!(
            "From a number to the one below it you skip 4 places in the line; to the one on the right, 1. \
               These two distances are the *strides*: `x.stride()` is `(4, 1)`."
        ),
        part: "tensors",
        set: &[("shape", "4, 4"), ("at", "1, 0")],
    },
    Step {
        title: written!("Where is x[1, 2]?"),
        text: written!(
            "Multiply each index by its stride and add up: 1·4 + 2·1 = 6. That is all a tensor does to find \
               an element, in any number of dimensions."
        ),
        part: "arithmetic",
        set: &[("shape", "4, 4"), ("at", "1, 2")],
    },
    Step {
        title: written!("Rows, columns and slices"),
        text: written!(
            "A row starts further along the line. A column takes every third number. Each is the same storage \
               with another offset and another stride, and nothing was copied."
        ),
        part: "tensors",
        set: &[
            ("shape", "2, 3"),
            ("views", "y = x[0]; z = x[:, 1]; w = x[:, ::2]"),
            ("look", "z"),
            ("at", "1"),
        ],
    },
    Step {
        title: written!("Transpose moves nothing"),
        text: written!(
            "Swapping two dimensions swaps their strides: (3, 1) becomes (1, 3). It is free for any size. \
               But the line is now read in jumps, so `is_contiguous()` says False."
        ),
        part: "tensors",
        set: &[("shape", "2, 3"), ("views", "y = x.transpose(1, 0)"), ("look", "y"), ("at", "2, 1")],
    },
    Step {
        title: written!("Where a view cannot be"),
        text: written!(
            "`z` wants to read `y` row by row in another shape. No pair of strides visits 0, 3, 1, 4, 2, 5 \
               along this line, so PyTorch refuses. You will meet this error."
        ),
        part: "tensors",
        set: &[
            ("shape", "2, 3"),
            ("views", "y = x.transpose(1, 0); z = y.view(2, 3)"),
            ("look", "z"),
            ("at", "0, 1"),
        ],
    },
    Step {
        title: written!("Paying for a copy"),
        text: written!(
            "`contiguous()` writes the numbers out anew in the order in which `y` shows them: 24 bytes, and a \
               second storage. After that the view is possible. `reshape` does the same without asking."
        ),
        part: "storage",
        set: &[
            ("shape", "2, 3"),
            ("views", "y = x.transpose(1, 0); z = y.contiguous().view(2, 3)"),
            ("look", "z"),
            ("at", "0, 1"),
        ],
    },
    Step {
        title: written!("One write, seen in every view"),
        text: written!(
            "After `x[0][0] = 100` the views `y` and `z` read 100 too, because there is only one number to \
               read. Choose an element and write to it through any of them."
        ),
        part: "arithmetic",
        set: &[
            ("shape", "2, 3"),
            ("views", "y = x.view(3, 2); z = x.transpose(1, 0)"),
            ("writes", "x[0, 0] = 100"),
            ("look", "y"),
            ("at", "0, 0"),
        ],
    },
    Step {
        title: written!("Stride zero"),
        text: written!(
            "`expand` repeats a row three times and stores it once: its stride is 0. This is how a bias of one \
               row is added to a batch of thousands."
        ),
        part: "tensors",
        set: &[("shape", "4"), ("views", "y = x.unsqueeze(0).expand(3, -1)"), ("look", "y"), ("at", "2, 1")],
    },
];

#[component]
fn Strides() -> Node {
    let desk = desk::Desk::new(use_cell());
    view! {
        <Part name="storage" title="The line in memory">
            <grid::Storages desk />
        </Part>
        <Part name="arithmetic" title="From an index to its place">
            <facts::Arithmetic desk />
        </Part>
        <Part name="tensors" title="What the tensors show">
            <facts::Tensors desk />
        </Part>
        <Part name="operations" title="Make a view">
            <div class="make">
                <TextInput param=desk.shape is_code=true />
                <editor::Editor desk />
            </div>
        </Part>
    }
}
