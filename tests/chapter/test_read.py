"""The reader of the chapter's dialect, on small made-up sections."""

import pytest

from chapter.read import ChapterError, Heading, fill, parse, parser
from chapter.run import with_outputs

PAGE = """\
# A page

## Part {#part}

See [there](03-loop.md#five-lines) and {{measured.a.b:.1f}} and {{picture.a}}.

```python
a = 1
print(a)
```

```output
1
```

```python continue workers
print(a + 1)
```

```output
```

:::details Answer
Yes.
:::

:::practice loop clip
:::
"""


def test_a_page_comes_apart_into_its_pieces() -> None:
    section = parse("a.md", PAGE)
    assert section.title == "A page"
    assert section.headings[1] == Heading(2, "Part", "part", 2)
    first, second = section.blocks
    assert (first.code, first.output, first.continues, first.workers) == (
        "a = 1\nprint(a)\n",
        "1\n",
        False,
        False,
    )
    assert (second.output, second.continues, second.workers) == ("", True, True)
    assert section.chains() == [[first, second]]
    assert section.practices == (("loop", "clip"),)
    assert section.links == ("03-loop.md#five-lines",)
    assert section.placeholders == ("{{measured.a.b:.1f}}", "{{picture.a}}")


def test_outputs_are_written_in_place() -> None:
    section = parse("a.md", PAGE)
    page = with_outputs(PAGE, section, ["one\nmore\n", "2\n"])
    assert [block.output for block in parse("a.md", page).blocks] == ["one\nmore\n", "2\n"]
    assert with_outputs(page, parse("a.md", page), ["1\n", ""]) == PAGE


def test_anchors_leave_the_heading_and_containers_render() -> None:
    html = parser().render(PAGE)
    assert '<h2 id="part">Part</h2>' in html
    assert '<div class="details">' in html
    assert '<div class="practice">' in html


def test_a_line_break_between_chinese_characters_is_no_space() -> None:
    assert parser().render("一二，\n三\n四 a\n五") == "<p>一二，三四 a\n五</p>\n"
    assert parser().render("one\ntwo") == "<p>one\ntwo</p>\n"


def test_a_line_break_between_korean_words_is_a_space() -> None:
    assert parser().render("학습\n루프를\nloss") == "<p>학습\n루프를\nloss</p>\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Text\n\n# Late\n", "first line"),
        ("# A\n\n```python\nprint(1)\n```\n", "no output"),
        ("# A\n\n```python contnue\n```\n\n```output\n```\n", "unknown flags"),
    ],
)
def test_what_is_not_the_dialect_says_where(text: str, message: str) -> None:
    with pytest.raises(ChapterError, match=message):
        parse("a.md", text)


def test_fill_puts_numbers_in_and_leaves_pictures() -> None:
    text = "{{measured.a.b:.1f}} {{measured.a.b}} {{picture.a}}"
    assert fill(text, {"a": {"b": 0.25}}) == "0.2 0.25 {{picture.a}}"
    with pytest.raises(ChapterError, match="no measured"):
        fill("{{measured.a.c}}", {"a": {"b": 1}})
    with pytest.raises(ChapterError, match="nothing is measured"):
        fill("{{picture.z}}", {"a": {"b": 1}})
