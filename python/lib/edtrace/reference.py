"""What a bibliography has of a source."""

from dataclasses import dataclass

__all__ = ["Reference"]


@dataclass(frozen=True)
class Reference:
    title: str | None = None
    authors: list[str] | None = None
    organization: str | None = None
    date: str | None = None
    url: str | None = None
    description: str | None = None
    notes: str | None = None

    @property
    def label(self):
        """The first author and the year, or what else there is, in brackets."""
        if self.authors:
            first = self.authors[0]
            # A team is called by its whole name.
            name = first if "Team" in first.split() else first.split()[-1] + "+" * (len(self.authors) > 1)
            return f"[{name} {self.date[:4] if self.date else '?'}]"
        said = self.title or self.url
        return f"[{said}]" if said else "?"
