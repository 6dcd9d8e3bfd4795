"""What the processes of `judging` are forked from has imported and warmed up: importing this module does it."""

import judge.author.statement
import judge.author.trial  # noqa: F401
from judge.sandbox.warm import warm_up

warm_up()
