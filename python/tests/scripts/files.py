import os
from helper_module import attempt

os.makedirs("written.tmp/deep/er", exist_ok=True)
name = os.path.join("written.tmp", "text.txt")
with open(name, "w") as file:
    print(file.write("one\ntwo\n"), file.closed)
    print("three", file=file)
with open(name) as file:
    print([line for line in file], file.read() == "")
with open(name, "a") as file:
    file.write("fünf")
print(open(name, encoding="utf-8").read(), os.path.getsize(name), file.closed)
with open(name, "rb") as file:
    print(file.read(3), file.seek(4), file.readline(), file.tell())
with open(name, "r+b") as file:
    file.seek(2)
    file.write(b"E")
with open("written.tmp/binary", "wb") as file:
    file.write(bytes(range(5)))
    file.seek(8)
    file.write(b"\xff")
print(open("written.tmp/binary", "rb").read(), open(name).readlines()[0])
attempt(
    lambda: open("missing.txt"),
    lambda: open(name, "x"),
    lambda: open("written.tmp"),
    lambda: open("no/such/folder.txt", "w"),
    lambda: os.remove("missing.txt"),
    lambda: os.listdir("missing"),
    lambda: os.rmdir("written.tmp"),
    lambda: os.makedirs("written.tmp"),
    lambda: open(name, "q"),
    lambda: open(name, "w").read(),
)
print(sorted(os.listdir("written.tmp")), os.path.exists(name), os.path.isdir("written.tmp"), os.path.isfile(name))
print(os.path.basename(name), os.path.splitext(name), os.path.dirname(name), os.path.isabs(os.getcwd()))
os.remove(name)
os.remove("written.tmp/binary")
os.rmdir("written.tmp/deep/er")
os.rmdir("written.tmp/deep")
os.rmdir("written.tmp")
print(os.path.exists("written.tmp"))
