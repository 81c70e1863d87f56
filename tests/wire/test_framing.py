"""The frames read without the library are those that the library reads alike, and boundaries are found in any cut."""

from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import Side, State
from websockets.server import ServerProtocol

from twofold_service.wire.framing import Boundaries, framed, plain_messages

TEXTS = st.one_of(st.binary(max_size=300), st.sampled_from([b"", b"a" * 125, b"a" * 126, b"a" * 127, b"b" * 65_535]))
KINDS = st.tuples(st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.PING, Opcode.CONT]), st.booleans(), TEXTS)


def written(opcode: Opcode, fin: bool, text: bytes) -> bytes:
    return Frame(opcode, text[:125] if opcode is Opcode.PING else text, fin or opcode is Opcode.PING).serialize(
        mask=True
    )


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_whole_text_frames_are_read_as_they_were_written(texts):
    data = b"".join(written(Opcode.TEXT, True, text) for text in texts)

    assert plain_messages(data) == texts


@given(st.lists(TEXTS, max_size=3), KINDS.filter(lambda kind: kind[:2] != (Opcode.TEXT, True)))
def test_any_other_frame_is_left_to_the_library(texts, other):
    data = b"".join(written(Opcode.TEXT, True, text) for text in texts) + written(*other)

    assert plain_messages(data) is None


@given(st.lists(TEXTS, min_size=1, max_size=3), st.integers(1, 5))
def test_a_frame_that_is_cut_is_left_to_the_library(texts, missing):
    data = b"".join(written(Opcode.TEXT, True, text) for text in texts)

    assert plain_messages(data[:-missing]) is None


@given(st.binary(max_size=200))
def test_whatever_is_read_here_the_library_reads_alike(data):
    messages = plain_messages(data)

    if messages:
        library = ServerProtocol(state=State.OPEN)
        library.receive_data(data)
        assert library.side is Side.SERVER
        assert [bytes(event.data) for event in library.events_received() if isinstance(event, Frame)] == messages


@given(st.lists(KINDS, min_size=1, max_size=4), st.data())
def test_boundaries_are_found_however_the_data_is_cut(kinds, data):
    frames = [written(*kind) for kind in kinds]
    whole, ends = b"".join(frames), {0}
    for frame in frames:
        ends.add(max(ends) + len(frame))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=6)) | {len(whole)})
    boundaries, start = Boundaries(), 0

    for cut in cuts:
        boundaries.follow(whole[start:cut])
        start = cut

        assert boundaries.between_frames is (cut in ends)


@given(TEXTS)
def test_a_server_frame_is_the_librarys(text):
    assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
