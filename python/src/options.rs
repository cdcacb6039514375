//! What a session is given.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use napkin_engine::Device;
use napkin_trace::Fault;
use napkin_trace::python::CellName;
use napkin_trace::trace::{Rendering, Step};

use crate::files::{Files, Memory};
use crate::trace::Recall;

/// Where Python writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// `sys.stdout`
    Output,
    /// `sys.stderr`
    Error,
}

/// Takes text for a stream.
pub type Write = Rc<dyn Fn(Stream, &str)>;

/// Takes the steps of a trace.
pub type TakeStep = Rc<dyn Fn(&Rc<Step>)>;

/// Reads and computes what whoever shows a rendering needs.
pub type Prepare = Rc<dyn Fn(&mut Rendering)>;

/// The text of a module of Python's own library that is not compiled in, by its path there, or why there is none.
pub type Fetch = Rc<dyn Fn(&str) -> Result<String, String>>;

/// The cell that a reader looks at: what it does is wanted first.
#[derive(Clone)]
pub struct InSight {
    /// The file, as it is seen from the program's folder.
    pub path: String,
    /// The function.
    pub function: String,
    /// Takes its steps as soon as it has run, beginning at itself on the stack. It is not called where the cell is
    /// recalled. A cell without arguments that changes nothing for others runs before the others do; its steps are
    /// written down again when the program comes to it.
    pub take: Rc<dyn Fn(Vec<Step>)>,
}

/// Takes what fails, as soon as it has failed.
pub type TakeFault = Rc<dyn Fn(Fault)>;

/// What a session needs to go on behind what fails.
#[derive(Clone)]
pub struct Recovery {
    /// Takes each fault.
    pub take: TakeFault,
    /// Gives a program that was interrupted its time again.
    pub restart: Rc<dyn Fn()>,
    /// Functions whose statements are guarded.
    pub(crate) guarded: Vec<CellName>,
    /// Cells that were edited.
    pub(crate) edited: Vec<CellName>,
    pub(crate) unread: Vec<Unread>,
}

/// A function in whose place something stands that Python cannot read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unread {
    pub(crate) cell: CellName,
    /// What was written.
    pub(crate) text: String,
}

impl Recovery {
    /// Whether what stands in place of a function cannot be read.
    pub(crate) fn has_unread(&self, path: &str, function: &str) -> bool {
        self.unread.iter().any(|it| it.cell.path == path && it.cell.function == function)
    }
}

/// What Python gets to see.
#[derive(Clone)]
pub struct Options {
    /// The device called `cuda`, if there is one.
    pub gpu: Option<Device>,
    /// Takes what is written.
    pub write: Write,
    /// What stands in `sys.argv` after the path of the program.
    pub arguments: Vec<String>,
    /// The files that it sees.
    pub files: Rc<dyn Files>,
    /// By their paths, texts of modules that run in place of what the files hold.
    pub modules: BTreeMap<String, String>,
    /// Without it these modules cannot be imported. Natively all are compiled in.
    pub fetch: Option<Fetch>,
    /// Whether what runs is to stop; asked now and then, in loops and calls of the program's own files. It raises
    /// `KeyboardInterrupt`.
    pub interrupt: Option<Rc<dyn Fn() -> bool>>,
    /// Takes each step of what is traced, as soon as nothing can change it any more. Then the trace does not hold them.
    /// A step that is recalled is the very one that was taken before, unless it stands elsewhere now.
    pub take_step: Option<TakeStep>,
    /// Prepares what is drawn before it is written down.
    pub prepare: Option<Prepare>,
    /// Whether values that a line shows are written down whole, and nothing of those that none shows.
    pub keeps_whole: bool,
    /// Only with [`Self::recall`].
    pub in_sight: Option<InSight>,
    /// What cells did when they were traced before, in this session or another: those that nothing has changed for are
    /// not run again. It is for one device alone.
    pub recall: Option<Rc<RefCell<Recall>>>,
    /// With it a program goes on behind what fails in it. Only with [`Self::recall`].
    pub recovery: Option<Recovery>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            gpu: None,
            write: Rc::new(|_, _| ()),
            arguments: Vec::new(),
            files: Rc::new(Memory::default()),
            modules: BTreeMap::new(),
            fetch: None,
            interrupt: None,
            take_step: None,
            prepare: None,
            keeps_whole: false,
            in_sight: None,
            recall: None,
            recovery: None,
        }
    }
}

thread_local! {
    /// Of the session of this thread: native modules have no other way to it.
    static OPTIONS: RefCell<Rc<Options>> = RefCell::default();
}

/// What the session of this thread was given.
pub(crate) fn options() -> Rc<Options> {
    OPTIONS.with_borrow(Rc::clone)
}

/// From now on the session of this thread has these.
pub(crate) fn give(options: Options) {
    OPTIONS.set(Rc::new(options));
}
