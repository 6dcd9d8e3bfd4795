"""The same verdicts when an ordinary user has started the judge."""

from judge.exercise import Exercise
from tests.ordinary_user import UserJudge


def test_right_and_wrong(user_judge: UserJudge, demo: Exercise) -> None:
    assert user_judge.verdict(demo, demo.solution).status == "passed"
    verdict = user_judge.verdict(demo, (demo.root / "wrong" / "adds.py").read_text())
    assert verdict.status == "failed"
    assert [diagnosis.mistake for diagnosis in verdict.diagnoses] == ["adds"]
