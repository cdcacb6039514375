"""What is in place before the first line of a program."""

import _streams
import _files
import _neighbours
import _clocks
