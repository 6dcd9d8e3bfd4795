from __future__ import annotations

from collections.abc import Callable

import pytest
from markupsafe import Markup

from app.text import code, inline, markdown, python


def test_code_in_a_statement_is_highlighted_by_classes() -> None:
    html = markdown("```python\ndef f(x):  # (B, T)\n    return 1\n```\n")
    assert '<span class="k">def</span>' in html
    assert "style=" not in html
    assert 'tabindex="0"' in html


def test_html_in_markdown_is_text() -> None:
    html = markdown("<script>x</script> [a](javascript:alert(1)) `<b>`\n\n```\n<i>\n```\n\n```nolanguage\n<u>\n```")
    for tag in ("<script", "<b>", "<i>", "<u>", 'href="javascript'):
        assert tag not in html


def test_lines_of_chinese_are_joined_without_a_space() -> None:
    assert "每个批次，只做" in markdown("每个批次，\n只做一次")
    assert "the\nloop" in markdown("the\nloop")
    assert "# 甲\n乙" in markdown("```\n# 甲\n乙\n```")


def test_tables_are_tables() -> None:
    assert "<table>" in markdown("| a | b |\n|---|---|\n| 1 | 2 |\n")


@pytest.mark.parametrize("shown", [python, code])
def test_code_shows_what_cannot_be_seen(shown: Callable[[str], Markup]) -> None:
    html = shown("x = 1  # \u202e\x00\r\n<b>")
    assert r"\u202e\x00" in html
    assert "<b>" not in html
    assert r"\x0d" not in html


def test_sentences_may_set_code() -> None:
    assert inline("`x` is <b>") == "<code>x</code> is &lt;b&gt;"
    assert inline("`<i>` and \x00") == r"<code>&lt;i&gt;</code> and \x00"


def test_the_empty_corner_of_a_table_is_no_header() -> None:
    html = markdown("|  | a |\n|---|---|\n| b | 1 |\n")
    assert "<td></td>\n<th>a</th>" in html


def test_learners_code_costs_nothing() -> None:
    """Pygments takes the square of a line's length: 64 KiB of this are minutes in which nobody is served."""
    hostile = "x = '%" + "0" * 64_000 + "' < 1"
    shown = hostile.replace("'", "&#39;").replace("<", "&lt;")
    assert code(hostile) == f'<pre class="code" tabindex="0"><code>{shown}</code></pre>'
