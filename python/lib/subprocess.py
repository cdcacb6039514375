"""Commands of the machine. A command runs to its end before its object is there; in a page there is none to run."""

import io
import os
import sys

import _napkin

PIPE, STDOUT, DEVNULL = -1, -2, -3


class SubprocessError(Exception):
    """What goes wrong with a command."""


class CalledProcessError(SubprocessError):
    def __init__(self, returncode, cmd, output=None, stderr=None):
        super().__init__(returncode, cmd)
        self.returncode, self.cmd, self.output, self.stderr = returncode, cmd, output, stderr

    def __str__(self):
        return f"Command {self.cmd!r} returned non-zero exit status {self.returncode}."

    stdout = property(lambda self: self.output)


class TimeoutExpired(SubprocessError):
    def __init__(self, cmd, timeout, output=None, stderr=None):
        super().__init__(cmd, timeout)
        self.cmd, self.timeout, self.output, self.stderr = cmd, timeout, output, stderr

    def __str__(self):
        return f"Command {self.cmd!r} timed out after {self.timeout} seconds"


class CompletedProcess:
    def __init__(self, args, returncode, stdout=None, stderr=None):
        self.args, self.returncode, self.stdout, self.stderr = args, returncode, stdout, stderr

    def check_returncode(self):
        if self.returncode:
            raise CalledProcessError(self.returncode, self.args, self.stdout, self.stderr)

    def __repr__(self):
        more = "".join(f", {name}={value!r}" for name in ("stdout", "stderr") if (value := getattr(self, name)) is not None)
        return f"CompletedProcess(args={self.args!r}, returncode={self.returncode!r}{more})"


class Popen:
    """A command. What is given to it stands in `input`, or is written to `stdin` before it is waited for."""

    def __init__(
        self, args, bufsize=-1, executable=None, stdin=None, stdout=None, stderr=None, preexec_fn=None, close_fds=True,
        shell=False, cwd=None, env=None, universal_newlines=None, startupinfo=None, creationflags=0, restore_signals=True,
        start_new_session=False, pass_fds=(), *, user=None, group=None, extra_groups=None, encoding=None, errors=None,
        text=None, umask=-1, pipesize=-1, process_group=None,
    ):  # fmt: skip
        words = [args] if isinstance(args, (str, os.PathLike)) else list(args)
        words = [os.fspath(word) for word in words]
        self.args, self.pid, self.returncode = args, os.getpid(), None
        self._command = ["/bin/sh", "-c", *words] if shell else words
        self._folder = None if cwd is None else os.fspath(cwd)
        self._variables = None if env is None else [f"{name}={value}" for name, value in env.items()]
        self._is_text = bool(text or universal_newlines or encoding or errors)
        self._to = stdout, stderr
        self.stdin = (io.StringIO() if self._is_text else io.BytesIO()) if stdin == PIPE else None
        self.stdout = self.stderr = None
        if hasattr(stdin, "read"):
            self._run(stdin.read())
        elif stdin != PIPE:
            self._run(b"")

    def _run(self, given):
        if self.returncode is not None:
            return
        given = given.encode() if isinstance(given, str) else given or b""
        self.returncode, *told = _napkin.process(self._command, given, self._folder, self._variables)
        if self._to[1] == STDOUT:
            told = [told[0] + told[1], b""]
        streams = sys.stdout, sys.stderr
        self.stdout, self.stderr = (self._led(*each) for each in zip(told, self._to, streams))

    def _led(self, said, to, stream):
        """What a command has said goes where it was to go."""
        if to == PIPE:
            text = said.decode(errors="replace") if self._is_text else said
            return io.StringIO(text) if self._is_text else io.BytesIO(text)
        if to is None:
            stream.write(said.decode(errors="replace"))
        elif hasattr(to, "write"):
            to.write(said if "b" in getattr(to, "mode", "") else said.decode(errors="replace"))
        return None

    def communicate(self, input=None, timeout=None):
        self._run(input if input is not None or self.stdin is None else self.stdin.getvalue())
        return tuple(stream and stream.read() for stream in (self.stdout, self.stderr))

    def wait(self, timeout=None):
        self._run(b"" if self.stdin is None else self.stdin.getvalue())
        return self.returncode

    poll = wait

    def kill(self):
        """Nothing runs any more."""

    terminate = kill

    def send_signal(self, sig):
        """Nothing runs any more."""

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.wait()


def run(*popenargs, input=None, capture_output=False, timeout=None, check=False, **kwargs):
    if capture_output:
        kwargs["stdout"] = kwargs["stderr"] = PIPE
    if input is not None:
        kwargs["stdin"] = PIPE
    process = Popen(*popenargs, **kwargs)
    output, errors = process.communicate(input)
    done = CompletedProcess(process.args, process.returncode, output, errors)
    if check:
        done.check_returncode()
    return done


def call(*popenargs, timeout=None, **kwargs):
    return run(*popenargs, **kwargs).returncode


def check_call(*popenargs, **kwargs):
    return run(*popenargs, check=True, **kwargs).returncode


def check_output(*popenargs, timeout=None, **kwargs):
    return run(*popenargs, stdout=PIPE, check=True, **kwargs).stdout


def getstatusoutput(cmd, *, encoding=None, errors=None):
    done = run(cmd, shell=True, stdout=PIPE, stderr=STDOUT, text=True)
    return done.returncode, done.stdout.removesuffix("\n")


def getoutput(cmd, *, encoding=None, errors=None):
    return getstatusoutput(cmd)[1]


def list2cmdline(seq):
    import shlex

    return shlex.join(map(os.fspath, seq))
