"""The JSON of an event is that of `event_out`, however it was written."""

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.table import tables
from twofold_service.wire.encode import dumps
from twofold_service.wire.events import event_json
from twofold_service.wire.games import event_out


@given(tables(), st.booleans())
def test_the_json_of_every_event(table, daily):
    for event in table.events:
        assert event_json(event, daily=daily) == dumps(event_out(event, daily=daily))
