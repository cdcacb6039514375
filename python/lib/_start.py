"""What is in place before the first line of a program."""

import _streams
import _files
import _file_imports
import _fetched
import _clocks
import _outside
