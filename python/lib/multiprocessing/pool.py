"""The pools by their own module's name."""

from multiprocessing import Pool

ThreadPool = Pool
