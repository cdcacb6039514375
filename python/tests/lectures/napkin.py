"""What lectures import as `napkin`, under real PyTorch, where nothing is drawn: how it is called our own module checks."""


def text(markdown):
    print(markdown.strip(), end="\n\n")


def slip(claim, right, why):
    print(f"Find the error: {claim}\n  {right} {why}\n")


class Show:
    def __getattr__(self, name):
        return lambda *arguments, **options: None


show = Show()
