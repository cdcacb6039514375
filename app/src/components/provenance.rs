//! Where a figure is from: a sign beside it, and what the signs mean.

use leptos::prelude::*;
use napkin_accounting::Provenance;

/// The sign; its words are for who points at it, and for readers of screens.
#[component]
pub fn ProvenanceSign(of: Provenance) -> impl IntoView {
    view! {
        <span class="provenance" title=of.words()>
            <span aria-hidden="true">{of.sign()}</span>
            <span class="visually-hidden">{of.words()}</span>
        </span>
    }
}

/// What each sign means.
#[component]
pub fn Legend() -> impl IntoView {
    let rows = Provenance::ALL.map(|of| {
        let meaning = match of {
            Provenance::Computed => "by a formula that you can open, or by the program. Values beside code have no sign: all are computed here.",
            Provenance::Measured => "by a clock, on the device that you sit at.",
            Provenance::Quoted => "from a paper or a data sheet. Click the figure to see which.",
        };
        view! {
            <tr>
                <th scope="row"><span class="provenance" aria-hidden="true">{of.sign()}</span></th>
                <td><strong>{of.words()}</strong>", " {meaning}</td>
            </tr>
        }
    });
    view! {
        <table>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}
