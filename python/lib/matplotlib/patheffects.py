"""Outlines around texts."""


class withStroke:
    def __init__(self, **properties):
        self.properties = properties


Stroke = withStroke


class Normal:
    pass
