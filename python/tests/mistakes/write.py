"""Writes what Python 3.14 prints of every mistake in syntax.txt below it: python3.14 python/tests/mistakes/write.py"""

import pathlib
import sys
import traceback

assert sys.version_info[:2] == (3, 14), "the words change between versions"
page = pathlib.Path(__file__).with_name("syntax.txt")
head, *mistakes = page.read_text().split("=== ")
written = [head]
for mistake in mistakes:
    title, rest = mistake.split("\n", 1)
    source = rest.split("\n--- ")[0].rstrip("\n") + "\n" if "\n--- " in rest else rest
    # What the compiler finds is shown with its line only if there is such a file.
    program = pathlib.Path("mistake.py")
    program.write_text(source)
    try:
        compile(source, str(program), "exec")
        raise AssertionError(f"{title} is no mistake")
    except SyntaxError as error:
        told = traceback.TracebackException.from_exception(error)
        said = "".join(told.format_exception_only())
        # A misspelt word is found only when it is told.
        place = f"{told.lineno}:{told.offset}"
    finally:
        program.unlink()
    written.append(f"=== {title}\n{source}--- {place}\n{said}")
page.write_text("".join(written))
