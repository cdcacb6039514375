"""A database by name: there is none to connect to."""

apilevel, paramstyle, threadsafety, sqlite_version, version = "2.0", "qmark", 1, "0", "0"
PARSE_DECLTYPES, PARSE_COLNAMES = 1, 2


class Warning(Exception):
    """What a database warns of."""


class Error(Exception):
    """What goes wrong with a database."""


class InterfaceError(Error):
    """What goes wrong between a program and a database."""


class DatabaseError(Error):
    """What goes wrong in a database."""


DataError = IntegrityError = InternalError = NotSupportedError = ProgrammingError = DatabaseError


class OperationalError(DatabaseError):
    """What a database cannot do."""


def connect(database, *args, **kwargs):
    raise OperationalError(f"unable to open database file {database!r}: there is no SQLite here")


def Connection(*args, **kwargs):
    raise OperationalError("unable to open database file: there is no SQLite here")


Cursor = Row = Connection


def register_adapter(type, adapter, /):
    """Nothing is stored that would be adapted."""


register_converter = register_adapter
