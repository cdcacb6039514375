"""The default generator."""

import _torch as _C

default_generator = _C._default_generator()


def manual_seed(seed):
    return default_generator.manual_seed(int(seed))


def seed():
    """A seed that nobody chose."""
    return default_generator.seed()


def initial_seed():
    return default_generator.initial_seed()


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(new_state):
    default_generator.set_state(new_state)


class fork_rng:
    """Draws within the block change nothing for what comes after it."""

    def __init__(self, devices=None, enabled=True):
        self.enabled = enabled

    def __enter__(self):
        self.state = get_rng_state()

    def __exit__(self, *_):
        if self.enabled:
            set_rng_state(self.state)
