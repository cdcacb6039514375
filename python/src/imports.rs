//! Which modules a program names.

use ruff_python_ast::Stmt;
use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, walk_stmt};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};

/// The modules that a text imports, with dots, and what it imports from them, which may be modules, too. Of a text that
/// is not Python everywhere, those of the rest.
#[must_use]
pub fn imports(text: &str) -> Vec<String> {
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let mut found = Imports::default();
    if let Some(module) = parsed.syntax().as_module() {
        found.visit_body(&module.body);
    }
    found.0
}

#[derive(Default)]
struct Imports(Vec<String>);

impl<'a> SourceOrderVisitor<'a> for Imports {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => self.0.extend(import.names.iter().map(|it| it.name.to_string())),
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map(ToString::to_string);
                let names = import.names.iter().map(|it| match &module {
                    Some(module) => format!("{module}.{}", it.name),
                    None => it.name.to_string(),
                });
                self.0.extend(names.chain(module.clone()));
            }
            _ => walk_stmt(self, statement),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_wherever_they_are_imported() {
        let text = "import a.b, c as d\nfrom e import f\nfrom . import g\ndef h():\n    from i.j import k\n";
        let wanted = ["a.b", "c", "e.f", "e", "g", "i.j.k", "i.j"];
        assert_eq!(imports(text), wanted);
        // While somebody types, the rest stays.
        assert_eq!(imports(&format!("{text}x = (\n"))[..wanted.len()], wanted);
    }
}
