# Writes one large file.
# verdict: error
# says: Your code wrote a file of more than 256 KiB.

def answer(x):
    with open("large", "wb") as file:
        while True:
            file.write(b"x" * 65536)
            file.flush()
