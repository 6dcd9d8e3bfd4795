# As many objects as an answer may have values, none of them plain data. Describing them takes some 260 MiB.
# verdict: memory timeout
# says: more than 128 MiB | without an answer

def answer(x): return [object() for _ in range(130000)]
