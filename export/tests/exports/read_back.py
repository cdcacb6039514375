"""Runs both lectures' notebooks under real PyTorch and imports their decks into Anki: what reads them has no errors.

    pip install torch numpy einops jaxtyping matplotlib nbclient ipykernel anki
    cargo build && python read_back.py
"""

import csv
import io
import subprocess
import tempfile
from pathlib import Path

import nbformat
from anki.collection import Collection, ImportCsvRequest
from nbclient import NotebookClient
from write import LECTURES, NAPKIN, ROOT


def exported(lecture, form):
    path = f"public/lectures/{lecture}"
    command = [NAPKIN, "export", path, "--as", form]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def main():
    for lecture in LECTURES:
        notebook = nbformat.reads(exported(lecture, "ipynb"), as_version=4)
        nbformat.validate(notebook)
        NotebookClient(notebook, timeout=600).execute()
        cells = sum(cell.cell_type == "code" for cell in notebook.cells)
        with tempfile.TemporaryDirectory() as folder:
            deck = Path(folder) / "deck.txt"
            deck.write_text(exported(lecture, "anki"), encoding="utf-8")
            collection = Collection(str(Path(folder) / "collection.anki2"))
            for _ in range(2):
                metadata = collection.get_csv_metadata(path=str(deck), delimiter=None)
                collection.import_csv(ImportCsvRequest(path=str(deck), metadata=metadata))
            # A deck that is imported twice is there once.
            notes = collection.note_count()
            collection.close()
        rows = csv.reader(io.StringIO(exported(lecture, "anki")), delimiter="\t")
        written = sum(not row[0].startswith("#") for row in rows)
        assert 0 < notes == written, f"{lecture}: {notes} notes of {written}"
        print(f"{lecture}: {cells} cells ran, {notes} notes were imported")


if __name__ == "__main__":
    main()
