# Fills its folder and shared memory with files.
# verdict: error
# says: No space left on device

def answer(x):
    for number in range(100_000):
        for folder in ("/box", "/dev/shm"):
            with open(f"{folder}/{number}", "wb") as file:
                file.write(b"x" * 200_000)
