"""The wall between learner code and everything else. Theory of operation.

Processes. The *warm parent* (`parent.py`) starts once, imports torch and warms it up; it is told over one socket to
make boxes. A *box* (`box.py`) is a fork of it that serves one check of one submission and is gone. Whoever wants a
box (`client.py`, in the examiner) opens these channels and hands their far ends to the warm parent:

    wire      two pipes with frames of plain data (`judge.wire`): questions (load, call) and answers
    output    what the learner's code prints, one way, read by nobody but us
    lifeline  closing our half kills the box; when it and all in it have ended, its exit status and usage arrive here

Nothing is asked and answered over the warm parent's own socket, so a client that dies in the middle leaves nothing
behind: its lifeline closes and its box is killed with everything in it.

Walls, outermost first.
 1. bubblewrap (`wall.py`) starts the warm parent in its own mount, pid, network, ipc and uts namespaces. It sees
    the system's libraries, Python, site-packages, `judge/wire.py`, `judge/kit` and this package, all read-only
    under neutral paths; no exercise, no test, no database, no environment.
 2. Each box gets a pid namespace of its own (it is pid 1: when it dies, all in it die), its own mount, network and
    ipc namespaces, an empty tmpfs as its only writable place, and no /proc.
 3. A warm parent started by root gives each box a user id of its own; one started by a user runs in a user
    namespace whose capabilities the box drops. Either way the box has no capability and cannot gain any (no-new-
    privileges).
 4. On load the box takes the exercise's limits (rlimits) and a seccomp filter that lists the system calls it may
    make. Those limits hold for each process; what all processes of a box have in memory together the warm parent
    counts (`together.py`).

Privileges: the warm parent keeps the capabilities it needs to make boxes, and never runs a line of learner code.
Where no wall can be had, `plain` mode forks boxes without walls 1 to 3 and without the filter; only the command
line uses it, for the learner's own file, and says so.
"""
