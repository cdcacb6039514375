//! Where a lecture begins that calls nothing itself: those of edtrace are imported, and their `main` is called.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::parse_module;

/// Modules that say so.
const MODULES: [&str; 2] = ["edtrace", "execute_util"];

/// Whether a program is such a lecture: it imports what draws one, defines `main`, and does not call it itself.
pub(crate) fn is_lecture(source: &str) -> bool {
    // Most programs are not even parsed for it.
    MODULES.iter().any(|module| source.contains(module)) && uncalled(source).is_some_and(|it| it.imports)
}

/// Whether a program that is no such lecture defines `main` and calls it nowhere: it does nothing that its author awaits.
pub(crate) fn has_idle_main(source: &str) -> bool {
    source.contains("def main(") && uncalled(source).is_some_and(|it| !it.imports)
}

/// What was seen of a program that defines `main` and does not call it.
fn uncalled(source: &str) -> Option<Looking> {
    let parsed = parse_module(source).ok()?;
    let mut looking = Looking::default();
    for statement in parsed.suite() {
        match statement {
            Stmt::FunctionDef(function) => looking.defines |= function.name.as_str() == "main",
            Stmt::ClassDef(_) => {}
            other => looking.visit_stmt(other),
        }
    }
    Some(looking).filter(|it| it.defines && !it.calls)
}

#[derive(Default)]
struct Looking {
    imports: bool,
    defines: bool,
    calls: bool,
}

impl<'a> Visitor<'a> for Looking {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let is_one = |name: &str| MODULES.contains(&name.split('.').next().unwrap_or_default());
        match statement {
            Stmt::Import(it) => self.imports |= it.names.iter().any(|alias| is_one(alias.name.as_str())),
            Stmt::ImportFrom(it) => {
                self.imports |= it.module.as_ref().is_some_and(|name| is_one(name.as_str()));
            }
            other => walk_stmt(self, other),
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        self.calls |= matches!(expression, Expr::Name(name) if name.id.as_str() == "main");
        walk_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lecture_is_begun_only_if_it_does_not_begin_itself() {
        let draws = "from edtrace import text\n\ndef main():\n    text('a')\n";
        for (source, is_it) in [
            (draws.to_owned(), true),
            (draws.replace("edtrace", "edtrace.execute_util"), true),
            (draws.replace("from edtrace import", "from execute_util import"), true),
            (draws.replace("from edtrace import text", "import edtrace"), true),
            (format!("{draws}if __name__ == '__main__':\n    main()\n"), false),
            (format!("{draws}main()\n"), false),
            (format!("{draws}run = main\nrun()\n"), false),
            (draws.replace("edtrace", "elsewhere"), false),
            (draws.replace("main", "other"), false),
            (format!("{draws}class A:\n    def b(self):\n        main()\n"), true),
            ("import edtrace\n(".to_owned(), false),
        ] {
            assert_eq!(is_lecture(&source), is_it, "{source}");
            let is_idle = source.starts_with("from elsewhere");
            assert_eq!(has_idle_main(&source), is_idle, "{source}");
        }
    }
}
