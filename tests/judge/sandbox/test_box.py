"""What a box does when the examiner goes."""

import socket

from judge.sandbox import box


def test_a_wire_closed_over_an_unread_answer_is_a_closed_wire() -> None:
    examiner, ours = socket.socketpair()
    with ours:
        ours.sendall(b"an answer")
        examiner.close()  # the kernel resets the connection, since not all was read
        box._serve(ours, None, 0)  # returns; an error here would be printed among what the learner printed
