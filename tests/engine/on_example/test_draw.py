"""The draws: one stream of choices, from any source."""

from evenkeel_engine.kit.draw import Draw, RecordingDraw, ReplayDraw, SeededDraw


def use(draw: Draw) -> list[object]:
    return [
        draw.integer(0, 10),
        draw.integer(3, 3),
        draw.chance(0.3),
        draw.real(-1.0, 1.0),
        draw.pick("abc"),
        draw.pick("a"),
        list(draw.items(2, 0.9)),
        list(draw.items(5, 0.8, least=1)),
        draw.sample(range(100), 4),
    ]


def test_recording_does_not_change_draws() -> None:
    for seed in range(50):
        recorder = RecordingDraw(SeededDraw(seed))
        assert use(recorder) == use(SeededDraw(seed))
        assert use(ReplayDraw([value for _, _, value in recorder.record])) == use(SeededDraw(seed))


def test_seeded_draws_of_one_seed_agree_after_reseeding() -> None:
    draw = SeededDraw(1)
    first = use(draw)
    draw.reseed(1)
    assert use(draw) == first
    draw.reseed(2)
    assert use(draw) != first


def test_replay_clamps_and_ends_with_the_simplest() -> None:
    draw = ReplayDraw([100, -5])
    assert (draw.integer(0, 9), draw.integer(2, 9), draw.integer(4, 9)) == (9, 2, 4)
    assert draw.record == [(0, 9, 9), (2, 9, 2), (4, 9, 4)]


def test_items_draws_its_flag_at_the_cap() -> None:
    recorder = RecordingDraw(ReplayDraw([9_999] * 3))
    assert list(recorder.items(2, 0.5)) == [0, 1]
    assert len(recorder.record) == 3
