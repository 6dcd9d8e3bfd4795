"""The animation's data: what the page reads is what training shows, and small enough to send."""

import gzip
import json

import pytest

from chapter.spiral import CELLS, EPOCHS, LETTERS, OUTPUT, TAKES, against, film, packed, unpacked

COMPRESSED_AT_MOST = 60_000
SAME_CELLS_AT_LEAST = 0.95  # borders lie a cell apart on another processor


@pytest.fixture(scope="module")
def document() -> dict[str, dict[str, dict[str, list[str]]]]:
    loaded: dict[str, dict[str, dict[str, list[str]]]] = json.loads(OUTPUT.read_text(encoding="utf-8"))
    return loaded


def test_frames_come_back_as_they_were() -> None:
    frames = ["aaab", "aaac", "aaac"]
    assert packed("aaab") == "a3b"
    assert unpacked([packed(f) for f in (frames[0], *map(against, frames, frames[1:]))]) == frames


def test_every_run_has_a_whole_frame_for_each_epoch(document: dict[str, dict[str, dict[str, list[str]]]]) -> None:
    assert document["runs"].keys() == TAKES.keys()
    for run in document["runs"].values():
        frames = unpacked(run["frames"])
        assert len(frames) == len(run["accuracy"]) == EPOCHS + 1
        assert all(len(frame) == CELLS * CELLS and set(frame) <= set(LETTERS) for frame in frames)


def test_the_runs_show_what_the_page_says(document: dict[str, dict[str, dict[str, list[str]]]]) -> None:
    last = {name: float(run["accuracy"][-1]) for name, run in document["runs"].items()}
    assert last["right"] > 0.97
    assert all(accuracy < last["right"] for name, accuracy in last.items() if name != "right")
    assert len(set(unpacked(document["runs"]["zero_before_step"]["frames"]))) == 1


def test_training_again_gives_the_film_of_the_page(document: dict[str, dict[str, dict[str, list[str]]]]) -> None:
    again, written = unpacked(film(TAKES["right"]).frames), unpacked(document["runs"]["right"]["frames"])
    for mine, theirs in zip(again, written, strict=True):
        arms = [LETTERS.index(a) // 4 == LETTERS.index(b) // 4 for a, b in zip(mine, theirs, strict=True)]
        assert sum(arms) / len(arms) > SAME_CELLS_AT_LEAST


def test_the_file_is_small_enough_to_send() -> None:
    assert len(gzip.compress(OUTPUT.read_bytes())) < COMPRESSED_AT_MOST
