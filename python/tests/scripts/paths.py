from pathlib import Path

folder = Path("paths.tmp")
folder.mkdir(exist_ok=True)
file = folder / "a.tar.gz"
print(file, repr(file), file.name, file.stem, file.suffix, file.parent, file.parts, file.exists())
print(file.write_text("héllo\n"), file.read_text(), file.read_bytes(), file.stat().st_size, file.is_file(), folder.is_dir())
print(list(folder.iterdir()), file.with_suffix(".txt"), Path("a/./b//c"), Path(".") / "x", Path("/a") == Path("/a/"))
file.unlink()
folder.rmdir()
print(folder.exists(), Path().is_absolute(), Path("a").joinpath("b", "/c"))
