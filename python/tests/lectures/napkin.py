"""What lectures import as `napkin`, under real PyTorch, where nothing is drawn: how it is called our own module checks."""


def _printed(head, markdown):
    print(f"{head}{markdown.strip()}", end="\n\n")


def text(markdown):
    _printed("", markdown)


def try_this(markdown):
    _printed("Try this: ", markdown)


def remember(markdown):
    _printed("Remember: ", markdown)


def check(question, choices, answer):
    print(f"Check yourself: {question.strip()}", *choices, sep="\n  - ")
    print(f"  Answer: {answer}. {choices[answer]}\n")


def slip(claim, right, why):
    print(f"Find the error: {claim}\n  {right} {why}\n")


exercises = []


def exercise(task, attempt, key):
    exercises.append((task, attempt, key))
    _printed("Exercise: ", task)


class Show:
    def __getattr__(self, name):
        return lambda *arguments, **options: None


show = Show()
