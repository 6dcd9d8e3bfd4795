"""Calls a solution with plain inputs and returns plain data. It runs beside learner code: nothing secret in it."""


def standardised(solution, x):
    answer = solution.FUNCTION(x)
    return {"answer": answer, "input": x}
