//! Requests to the worker as they travel.

use napkin_notebook::DeviceKind;
use napkin_notebook::python::{Request, Run};
use napkin_notebook::trace::{Json, Map};

use crate::json;

/// The text of a request.
#[must_use]
pub fn written(request: &Request) -> String {
    let id = ("id", Json::Int(i64::try_from(request.id()).unwrap_or(i64::MAX)));
    let (kind, fields): (&str, Json) = match request {
        Request::Run(run) => ("Run", std::iter::once(id).chain(program(run)).collect()),
        Request::Download { path, .. } => {
            ("Download", [id, ("path", path.as_str().into())].into_iter().collect())
        }
        Request::Script { files, path, function, .. } => {
            let fields = [
                id,
                ("files", texts(files)),
                ("path", path.as_str().into()),
                ("function", function.as_str().into()),
            ];
            ("Script", fields.into_iter().collect())
        }
    };
    json::write(&[(kind, fields)].into_iter().collect())
}

fn program(run: &Run) -> [(&'static str, Json); 6] {
    let settings = run.settings.0.iter().map(|(path, all)| (path.as_str(), texts(all)));
    let device = match run.device {
        DeviceKind::Cpu => "Cpu",
        DeviceKind::Gpu => "Gpu",
    };
    [
        ("files", texts(&run.files)),
        ("main", run.main.as_str().into()),
        ("settings", settings.collect()),
        ("device", device.into()),
        ("is_traced", Json::Bool(run.is_traced)),
        ("most_secs", Json::Float(run.most_secs)),
    ]
}

fn texts(files: &Map<String>) -> Json {
    files.0.iter().map(|(path, text)| (path.as_str(), Json::from(text.as_str()))).collect()
}
