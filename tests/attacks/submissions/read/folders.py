# Walks everything it can see and looks for exercises, tests, databases and other people's files.
# exercise: workers
# verdict: failed
# says: The sum is

import os

HERE = {"bin", "dev", "etc", "five-lines", "folders", "lib", "lib32", "lib64", "packages", "proc", "python", "sbin", "usr", "box"}


def names(path):
    try:
        return set(os.listdir(path))
    except OSError:
        return set()


for found in (
    names("/") - HERE,
    names("/proc"), names("/folders"), names("/box"), names("/dev/shm"), names("/root"), names("/home"), names("/tmp"),
    names("/etc") - {"ld.so.cache"},
    names("/dev") - {"null", "full", "random", "urandom", "shm"},
    names("/five-lines") - {"judge"},
    names("/five-lines/judge") - {"__init__.py", "__pycache__", "kit", "program.py", "sandbox", "wire.py"},
):
    if found:
        print("BREACH", sorted(found)[:20])
for root in ("/five-lines", "/box", "/packages"):
    for folder, folders, files in os.walk(root):
        for name in files:
            ours = folder.endswith(("/judge", "/app"))  # packages of others have a store.py too
            if name in ("test_hidden.py", "exercise.toml") or (ours and name in ("store.py", "settings.py")):
                print("BREACH", folder, name)
            if name.endswith((".sqlite", ".sqlite-wal", ".po")) and "judge" in folder:
                print("BREACH", folder, name)
        if folder.count("/") > 3:
            folders.clear()


def answer(x):
    return 0.0
