"""Exercises in, verdicts out. Never imports the site; grading never touches a database."""
