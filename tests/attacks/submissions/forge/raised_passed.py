# Raises an error whose class is called passed, of a kind it makes up.
# verdict: error
# says: Your code raised passed: {status}

passed = type("passed", (Exception,), {})


def answer(x):
    raise passed("{status}")
