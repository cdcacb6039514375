//! All tools, in the order of the page.

use leptos::prelude::*;

use crate::components::calculator::Calculator;
use crate::components::count::Count;
use crate::components::dtypes::Dtypes;
use crate::components::machine::Machine;
use crate::components::mfu::Mfu;
use crate::components::product::Product;
use crate::components::strides::Strides;
use crate::components::terms::Terms;
use crate::components::training_loop::TrainingLoop;
use crate::state::use_values;

/// A live component that stands alone.
pub struct Tool {
    /// Its name in addresses.
    pub id: &'static str,
    /// Its name in the contents: a word or two.
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub view: fn() -> AnyView,
}

pub const TOOLS: &[Tool] = &[
    Tool {
        id: "time",
        name: "Training time",
        title: "How long does training take?",
        about: "Three numbers settle it: how much work the training is, how much of it the cluster does in a day, and \
                what an hour of the cluster costs. A GPU or a model that is not in the lists can be described in a few \
                lines, or by its config.json.",
        view: || calculators("time"),
    },
    Tool {
        id: "size",
        name: "Largest model",
        title: "How large a model fits?",
        about: "Training keeps more than the weights: every parameter has a gradient, and an optimizer remembers \
                numbers of its own beside it. Divide the memory by the bytes of all that, and the largest model is what \
                comes out.",
        view: || calculators("size"),
    },
    Tool {
        id: "reality",
        name: "Reality",
        title: "Napkin against reality",
        about: "Some makers say how many GPU-hours their models took. Beside the napkin's figure stands what was left \
                out of it: restarts, longer contexts, what comes after pretraining, and an MFU that nobody promised.",
        view: || calculators("reality"),
    },
    Tool {
        id: "mfu",
        name: "MFU",
        title: "What is the MFU of a run?",
        about: "Tokens per second say how fast a run is, and not how good. MFU does, but it has as many values as there are \
                ways to count: with attention or without, in FLOPs or in MACs, beside a dense or a sparse peak, or beside \
                the peak that was measured here.",
        view: || view! { <Mfu /> }.into_any(),
    },
    Tool {
        id: "tensor",
        name: "Bytes of a tensor",
        title: "How many bytes is a tensor?",
        about: "Everything that training keeps is a tensor. Its size is the number of its elements times the bytes of \
                one, and nothing else.",
        view: || calculators("tensor"),
    },
    Tool {
        id: "dtypes",
        name: "Dtypes",
        title: "What a few bits can say",
        about: "A floating-point number is a sign, an exponent that says how large, and a fraction that says where \
                between two powers of two. Flip the bits and see when gradients round to zero and sums overflow.",
        view: || view! { <Dtypes /> }.into_any(),
    },
    Tool {
        id: "strides",
        name: "Strides",
        title: "A tensor is a way of looking at a line of numbers",
        about: "Memory is one long line. A tensor is that line, its storage, with a rule that says where each element \
                lies. Change the rule, and the same numbers are another matrix at no cost; break it, and PyTorch has to \
                copy.",
        view: || view! { <Strides /> }.into_any(),
    },
    Tool {
        id: "flops",
        name: "FLOPs",
        title: "FLOPs, and how long they take",
        about: "FLOPs is how many multiplications and additions a computation needs, FLOP/s how many a machine does in \
                a second. Nearly all of them are in matrix products: count those, and time one here.",
        view: || view! { <Product /> }.into_any(),
    },
    Tool {
        id: "machine",
        name: "This machine",
        title: "How fast is this machine?",
        about: "Data sheets promise; a clock says. A survey makes some seventy measurements in ten to forty seconds, \
                during which training waits. Nothing leaves this machine; the browser keeps the result until you tell it \
                to forget.",
        view: || view! { <Machine /> }.into_any(),
    },
    Tool {
        id: "roofline",
        name: "Roofline",
        title: "Arithmetic or memory?",
        about: "A device waits for its arithmetic or for its memory. Which one follows from a single number of the \
                computation, its arithmetic intensity: FLOPs per byte moved.",
        view: || calculators("roofline"),
    },
    Tool {
        id: "backward",
        name: "Backward",
        title: "What does the backward pass cost?",
        about: "Two layers without activations: h1 = x @ w1, h2 = h1 @ w2, and a loss of h2. Forward is two products. \
                Backward has two for each: one for the gradient of the weight, one for the gradient of what came in.",
        view: || calculators("backward"),
    },
    Tool {
        id: "transformer",
        name: "Transformer",
        title: "A Transformer, component by component",
        about: "Parameters to the unit and FLOPs of a step, for every model of the list and for any config.json that \
                you paste. FLOPs are those of matrix products, as PyTorch's own counter has them.",
        view: || calculators("params flops"),
    },
    Tool {
        id: "count",
        name: "Two and four",
        title: "Is it really six?",
        about: "Believe no formula that you can check. A training step runs in this page and counts its FLOPs and its \
                bytes; beside them stands what the formulas said before.",
        view: || view! { <Count /> }.into_any(),
    },
    Tool {
        id: "memory",
        name: "Memory of a step",
        title: "Where does the memory go?",
        about: "Weights, gradients and optimizer state are there in every step. Activations grow with what comes in: \
                they are what the forward pass leaves for the backward pass.",
        view: || calculators("linear memory"),
    },
    Tool {
        id: "kv",
        name: "KV cache",
        title: "What does a long context cost?",
        about: "A model that writes looks back at every token before, in every block. It keeps their keys and values, \
                or it would compute them again for each new token.",
        view: || calculators("kv"),
    },
    Tool {
        id: "parallel",
        name: "Across devices",
        title: "Spread over many devices",
        about: "What does not fit on one device is split: the batch over copies, every matrix over neighbours, the \
                blocks over a pipeline, experts over all. Each way saves memory and sends bytes.",
        view: || calculators("parallel"),
    },
    Tool {
        id: "optimal",
        name: "Budget",
        title: "How to spend a budget",
        about: "6·N·D is a product: the same FLOPs train a large model on few tokens or a small one on many. Which is \
                better was measured by training hundreds of models.",
        view: || calculators("optimal"),
    },
    Tool {
        id: "training",
        name: "Training loop",
        title: "A training loop, running",
        about: "The model is a chain of square matrices without activations between them, so all of it is one weight \
                per input, and you can see whether the right ones are learned: 0, 1, …, D−1. This is the engine's real \
                loop; nothing is replayed.",
        view: || view! { <TrainingLoop /> }.into_any(),
    },
    Tool {
        id: "formulas",
        name: "Formulas",
        title: "All formulas on a page",
        about: "Every closed form of the lectures, with its symbols and its number: for a model of your choice, and for the \
                small GPT of the lecture. Each number opens on how it comes about. Printed, it is one sheet of A4.",
        view: || view! { <Formulas /> }.into_any(),
    },
    Tool {
        id: "terms",
        name: "Terms",
        title: "What do the words mean?",
        about: "The terms of the lectures in a sentence or two each. In a lecture they are underlined: point at one, or tap \
                it.",
        view: || view! { <Terms /> }.into_any(),
    },
];

/// The formulas, and a way to print them alone.
#[component]
fn Formulas() -> impl IntoView {
    let values = use_values();
    let alone = move || {
        let query = values.query_without("embed");
        let joint = if query.is_empty() { '?' } else { '&' };
        format!("{query}{joint}embed=formulas")
    };
    view! {
        <Calculator id="formulas" />
        <p class="buttons">
            <a href=alone target="_blank" rel="noopener">"Open it on a page of its own, to print"</a>
        </p>
    }
}

fn calculators(id: &'static str) -> AnyView {
    view! { <Calculator id /> }.into_any()
}
