//! Modules of Python's own library that are files of their own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use napkin_python::{Options, Session};

#[test]
fn a_module_is_fetched_once_and_one_that_does_not_come_is_an_import_error() {
    let written = Rc::<RefCell<String>>::default();
    let count = Rc::new(Cell::new(0));
    let (to, fetches) = (written.clone(), count.clone());
    let options = Options {
        write: Rc::new(move |_, text| to.borrow_mut().push_str(text)),
        fetch: Some(Rc::new(move |path| {
            fetches.set(fetches.get() + 1);
            match path {
                "datetime.py" => Ok("def now():\n    return __name__".to_owned()),
                _ => Err("the site answers 404.".to_owned()),
            }
        })),
        ..Options::default()
    };
    let session = Session::with_library(options);
    // Natively all modules are compiled in: these are names that no other has.
    let program = "
import _fetched
_fetched.FILES.update(one='datetime.py', two='argparse.py', three='../secret.py')
import one
print(one.now())
for name in ('two', 'three'):
    try:
        __import__(name)
    except ImportError as error:
        print(error)
";
    for _ in 0..2 {
        session.run(program, "x.py").unwrap();
        session.renew();
    }
    let once = "one\nargparse.py of Python's library cannot be fetched: the site answers 404.\n\
                ../secret.py of Python's library cannot be fetched: it is not among the files that can be.\n";
    assert_eq!(written.take(), once.repeat(2));
    // The one that came once, the one that did not each time.
    assert_eq!(count.get(), 3);
}
