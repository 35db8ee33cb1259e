"""Transfer logs of GridFTP servers: what a line means, and what is no transfer."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from made_up_transfers import FTS_FORMS, event, fts_file, fts_message, json_lines, log_line

from experiments import text_files
from experiments.errors import UserError
from experiments.text_files import read_text_file
from experiments.transfer_logs.files import are_transfer_logs, read_transfers
from experiments.transfer_logs.groups import Group, groups_of
from experiments.transfer_logs.records import Setting, Tally

Read = Callable[..., tuple[list[Group], Tally]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """A function that returns the groups of a file and its tally."""

    def read_it(content: str | bytes, name: str = "gridftp.log") -> tuple[list[Group], Tally]:
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        assert are_transfer_logs([file])
        transfers, (tally,) = read_transfers([file])
        return groups_of(transfers), tally

    return read_it


def one(read: Read, line: str) -> Group:
    """Return the only group of a file with one line."""
    (group,), tally = read(f"{line}\n")
    assert (group.count, tally.transfers, tally.bad) == (1, 1, 0)
    return group


# ---- A line ---------------------------------------------------------------------------------


def test_a_line(read: Read) -> None:
    group = one(read, log_line())
    assert group.setting == Setting("dtn1.example.org", "192.0.2.7", 4, 1, 1048576)
    assert (group.size, group.median_bps, group.resent) == (100_000_000, 100e6, None)


@pytest.mark.parametrize("kind", ["STOR", "ESTO"])
def test_what_the_server_receives_comes_from_its_peer(read: Read, kind: str) -> None:
    setting = one(read, log_line(TYPE=kind)).setting
    assert (setting.source, setting.destination) == ("192.0.2.7", "dtn1.example.org")


def test_a_part_of_a_file_is_sent_by_the_server(read: Read) -> None:
    assert one(read, log_line(TYPE="ERET")).setting.source == "dtn1.example.org"


def test_early_servers_print_microseconds_without_leading_zeros(read: Read) -> None:
    """12:00:01.2102 is 2.102 ms after the second, not 210.2: 1 MB in 0.502102 s."""
    line = log_line(DATE="20240107120001.2102", START="20240107120000.500000", NBYTES=1_000_000)
    assert one(read, line).median_bps == pytest.approx(8e6 / 0.502102, rel=1e-12)


@pytest.mark.parametrize(
    ("end", "start", "seconds"),
    [
        ("20240301000000.000000", "20240229235959.000000", 1),
        ("20161231235960.500000", "20161231235959.500000", 1),
        ("20240107120008", "20240107120000", 8),
        ("20240107120008.", "20240107120000.", 8),
        ("20240107120000.1234569", "20240107120000.0000009", 0.123456),
    ],
)
def test_times(read: Read, end: str, start: str, seconds: float) -> None:
    rate = one(read, log_line(DATE=end, START=start)).median_bps
    assert rate == pytest.approx(8e8 / seconds, rel=1e-12)


@pytest.mark.parametrize(
    "file",
    [
        "/data/my file.dat",
        "/a NBYTES=1 STREAMS=9 BUFFER=7 DATE=20000101000000.000000/b",
        "/x=y",
        "",
        "/\udce4".encode("utf-8", "surrogateescape").decode("latin-1"),
        "/data/" + "long/" * 700,
    ],
)
def test_a_file_name_may_have_anything(read: Read, file: str) -> None:
    group = one(read, log_line(FILE=file))
    assert (group.size, group.setting.streams, group.median_bps) == (100_000_000, 4, 100e6)
    # The same where the line is not as the server orders it today.
    group = one(read, log_line(FILE=file, BLOCK=None, PROG=None))
    assert (group.size, group.setting.streams, group.median_bps) == (100_000_000, 4, 100e6)


def test_a_user_name_may_have_spaces(read: Read) -> None:
    assert one(read, log_line(USER="Alice A. Doe", VOLUME="/vol 1")).median_bps == 100e6


def test_later_servers_name_the_task_and_count_retransmissions(read: Read) -> None:
    """36 + 17 + 27 + 20 segments of 100 MB in segments of 1,448 bytes."""
    group = one(read, log_line(TASKID="none", retrans="36,17,27,20"))
    assert group.resent == pytest.approx(100 / 69061)


def test_wu_ftpd_numbers_the_stripe(read: Read) -> None:
    group = one(read, log_line(PROG="wuftpd", DEST="1[192.0.2.7]"))
    assert group.setting.destination == "192.0.2.7"


def test_stripes_multiply_the_connections(read: Read) -> None:
    group = one(read, log_line(STREAMS=4, STRIPES=8))
    assert (group.setting.stripes, group.connections) == (8, 32)


@pytest.mark.parametrize("name", ["STREAMS", "STRIPES"])
def test_no_stream_is_taken_for_one(read: Read, name: str) -> None:
    (group,), tally = read(log_line(**{"STREAMS": 1, name: 0}))
    assert (group.connections, tally.no_streams) == (1, 1)


@pytest.mark.parametrize("name", ["HOST", "PROG", "USER", "FILE", "BLOCK", "VOLUME", "CODE"])
def test_fields_that_a_rate_does_not_need_may_be_missing(read: Read, name: str) -> None:
    assert one(read, log_line(**{name: None})).median_bps == 100e6


def test_what_is_missing_is_unknown(read: Read) -> None:
    line = log_line(HOST=None, DEST="[0.0.0.0]", BUFFER=None, STREAMS=None, STRIPES=None)
    assert one(read, line).setting == Setting("?", "?", 1, 1, -1)


@pytest.mark.parametrize(
    ("dest", "shown"),
    [
        ("[::FFFF:192.0.2.7]", "192.0.2.7"),
        ("1[192.0.2.7]", "192.0.2.7"),
        ("[2001:DB8::1F]", "2001:db8::1f"),
        ("[0::0]", "?"),
        ("[::FFFF:0.0.0.0]", "?"),
        ("[dtn2.example.org]", "dtn2.example.org"),
    ],
)
def test_addresses_of_one_host_are_one_endpoint(read: Read, dest: str, shown: str) -> None:
    (group,), _ = read(f"{log_line(DEST=dest)}\n{log_line(DEST=f'[{shown}]')}")
    assert (group.count, group.setting.destination) == (2, shown)


# ---- Lines without a rate -------------------------------------------------------------------


def test_what_has_no_rate_is_counted(read: Read) -> None:
    lines = [
        log_line(),
        log_line(CODE=426),
        log_line(CODE=426),
        log_line(CODE=500, NBYTES=0),
        log_line(NBYTES=0),
        log_line(duration_s=0),
        log_line(TYPE="LIST", NBYTES=3000),
        log_line(TYPE="MLSD", NBYTES=3000),
        "",
        "[24775] Thu Jul 27 12:59:42 2023 :: Closed connection from dtn1.example.org:40000",
    ]
    (group,), tally = read("\n".join(lines) + "\n")
    assert group.count == 1
    assert tally.failed == {"426": 2, "500": 1}
    assert (tally.empty, tally.instant, tally.listings, tally.other) == (1, 1, 2, 2)
    assert (tally.bad, tally.lines) == (0, 10)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (log_line(NBYTES=None), "NBYTES is missing"),
        (log_line(START=None), "START is missing"),
        (log_line(DATE=None), "DATE is missing"),
        (log_line(NBYTES="1e9"), 'NBYTES is "1e9", which is not a whole number'),
        (log_line(NBYTES=-1), "NBYTES is -1"),
        (log_line(STREAMS="four"), 'STREAMS is "four", which is not a whole number'),
        (log_line(BUFFER="9" * 30), 'BUFFER is "999999999999999999999999999999", which is not'),
        (log_line(DATE="20240107"), 'DATE is "20240107", which is not a time such as'),
        (log_line(DATE="20241307120000.0"), 'DATE is "20241307120000.0", a time that does not'),
        (log_line(START="20240107126000.0"), 'START is "20240107126000.0", a time that does not'),
        (log_line(duration_s=-1), "DATE, the end, is before START"),
        (log_line()[:60], "START is missing"),
        (log_line()[:200], "is truncated: it has neither CODE nor TYPE"),
        (log_line()[:180], "NBYTES is missing"),
        (log_line().split(" VOLUME")[0], "is truncated: it has neither CODE nor TYPE"),
        (log_line().split("00 VOLUME")[0], "is truncated: it has neither CODE nor TYPE"),
        (log_line().split(" TYPE")[0], "is truncated: it has neither CODE nor TYPE"),
        (log_line()[:-1], 'CODE is "22", which is not a reply code'),
        (log_line()[:-12], "is truncated: it has neither CODE nor TYPE"),
        (log_line()[25:], "DATE is missing"),
    ],
)
def test_a_damaged_line_is_named_and_the_others_are_read(read: Read, line: str, fault: str) -> None:
    (group,), tally = read(f"{log_line()}\n{line}\n{log_line()}\n")
    assert (group.count, tally.bad) == (2, 1)
    ((number, said),) = tally.bad_shown
    assert number == 2
    assert said.startswith(fault)


def test_a_long_line_has_no_feed_behind_it(read: Read) -> None:
    """The server cuts a line at 4,095 bytes, and with it what ends the line."""
    long = log_line(FILE="/" + "a" * 5000)[:4095]
    (group,), tally = read(f"{long}{log_line(NBYTES=10_000_000)}\n{log_line(NBYTES=10_000_000)}\n")
    assert (group.count, group.size, group.median_bps) == (2, 10_000_000, 10e6)
    assert tally.bad_shown == [(1, "is truncated, and another line follows without a line feed")]


def test_only_the_first_damaged_lines_are_named(read: Read) -> None:
    _, tally = read("".join(f"{log_line(NBYTES=x)}\n" for x in [1, *"abcdefgh"]))
    assert tally.bad == 8
    assert [line for line, _ in tally.bad_shown] == [2, 3, 4, 5, 6]


def test_a_file_without_a_transfer_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "gridftp.log"
    file.write_text(f"{log_line(NBYTES='x')}\n{log_line(START=None)}\n")
    assert are_transfer_logs([file])
    with pytest.raises(UserError) as refused:
        read_transfers([file])
    assert str(refused.value) == (
        f'{file}:1: NBYTES is "x", which is not a whole number, and no other line is a transfer; '
        "allowed: lines with DATE=, START= and NBYTES=, as -log-transfer writes them"
    )


def test_failed_transfers_alone_are_a_log(read: Read) -> None:
    groups, tally = read(log_line(CODE=426))
    assert (groups, tally.failed) == ([], {"426": 1})


# ---- Other forms of the log -----------------------------------------------------------------


def test_the_servers_own_log_has_the_same_lines_among_others(read: Read) -> None:
    head = "[24775] Thu Jul 27 12:59:42 2023 :: "
    lines = [
        f"{head}Server started in daemon mode.",
        f'{head}Starting to transfer "/data/a.dat".',
        f'{head}Finished transferring "/data/a.dat".',
        f"{head}Transfer stats: {log_line()} TASKID=none",
        "",
    ] * 3000
    (group,), tally = read("\n".join(lines))
    assert (group.count, group.median_bps, tally.bad) == (3000, 100e6, 0)


@pytest.mark.parametrize(
    "message",
    [
        'OP {"source_se": "gsiftp://a.example", "throughput": 1e8, "throughput_ema": 9e7}',
        '{"data": {"dest_se": "davs://b.example", "filesize_avg": 1e9, "active_count": 20}}',
        'SS {"transfer_id": "1", "src_url": "gsiftp://a.example/f", "timestamp": 1704619673000}',
        'ST {"file_state": "ACTIVE", "job_state": "ACTIVE", "timestamp": 1704619673000}',
    ],
)
def test_messages_of_fts_about_something_else_are_refused(tmp_path: Path, message: str) -> None:
    file = tmp_path / "fts.json"
    file.write_text(f"{message}\n" * 2)
    assert are_transfer_logs([file])
    with pytest.raises(UserError, match=r"fts\.json:1: has no transfer in 2 lines; allowed: trans"):
        read_transfers([file])


def test_a_server_log_without_transfers_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "gridftp.log"
    file.write_text("[24775] Thu Jul 27 12:59:42 2023 :: Server started in daemon mode.\n" * 2)
    assert are_transfer_logs([file])
    with pytest.raises(UserError, match=r"gridftp\.log:1: has no transfer in 2 lines; allowed: "):
        read_transfers([file])


@pytest.mark.parametrize(
    "copied",
    [
        "Jan  7 12:00:08 dtn1 GRIDFTP[99]: {}",
        '{{"host": "dtn1", "message": "{}"}}',
        '"{}"',
        "2024-01-07T12:00:08Z {} ",
    ],
)
def test_lines_that_other_programs_have_copied(read: Read, copied: str) -> None:
    assert one(read, copied.format(log_line())).median_bps == 100e6
    assert one(read, copied.format(log_line(USER=None, retrans="1,2"))).median_bps == 100e6


def test_events_of_stdio_ng(read: Read) -> None:
    end = {
        "localuser": "alice", "file": "/data/my bytes=3.dat", "tcpbuffer": 0, "blocksize": 262144,
        "bytes": 100_000_000, "streams": 4, "stripes": 1, "remoteIP": "192.0.2.7", "type": "RETR",
        "taskid": "none", "retrans": "1,1,1,1", "status": 0,
    }  # fmt: skip
    lines = [
        event(0, "start", 12, file='"/data/a.dat"'),
        event(1, "start", 13, file='"/data/b.dat"'),
        event(5, "end", 13, **end),
        event(8, "end", 12, **end),
        event(9, "start", 13, file='"/data/c.dat"'),
        event(10, "error", 13, file='"/data/c.dat"', msg='"a"', status=-1),
        event(11, "end", 14, **end),
    ]
    (group,), tally = read("\n".join(lines))
    assert (group.count, group.low_bps, group.high_bps) == (2, 125e6, 175e6)
    assert group.setting == Setting("?", "192.0.2.7", 4, 1, 0)
    assert group.resent == pytest.approx(4 / 69061)
    assert (tally.failed, tally.other) == ({"error": 1}, 3)
    assert tally.bad_shown == [(7, "session 14 has no transfer.start before this transfer.end")]


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress,
        bz2.compress,
        lzma.compress,
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: text.decode().encode("utf-16"),
        lambda text: text.decode().encode("utf-16-be"),
        lambda text: text.decode().encode("utf-32"),
        lambda text: lzma.compress(text, format=lzma.FORMAT_ALONE),
        lambda text: lzma.compress(gzip.compress(text)),
        lambda text: gzip.compress(text[:3]) + gzip.compress(text[3:]) + bytes(512),
        lambda text: text.replace(b"\n", b"\r\n"),
    ],
)
def test_compressed_and_encoded(read: Read, packed: Callable[[bytes], bytes]) -> None:
    (group,), tally = read(packed(f"{log_line()}\n".encode() * 100))
    assert (group.count, group.median_bps, tally.bad) == (100, 100e6, 0)


def test_a_compressed_file_that_is_cut_short_is_read_so_far(read: Read) -> None:
    noise = random.Random(1)
    lines = "".join(f"{log_line(FILE=noise.random())}\n" for _ in range(5000))
    whole = gzip.compress(lines.encode())
    (group,), tally = read(whole[: len(whole) // 2])
    assert 1000 < group.count < 4000
    assert tally.cut.startswith(f"is damaged or truncated after line {tally.lines}")


@contextmanager
def pipe_of(content: bytes) -> Iterator[Path]:
    """Yield the path of a pipe into which another thread writes, as <(zcat gridftp.log.gz)."""
    end, writer = os.pipe()

    def write() -> None:
        with os.fdopen(writer, "wb") as stream:
            stream.write(content)

    thread = threading.Thread(target=write)
    thread.start()
    yield Path(f"/dev/fd/{end}")
    os.close(end)
    thread.join()


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_a_log_through_a_pipe(packed: Callable[[bytes], bytes]) -> None:
    """Larger than what a pipe holds; the log is recognised and read, a pipe only once."""
    lines = f"{log_line()}\n" * 3000
    with pipe_of(packed(lines.encode())) as pipe:
        assert are_transfer_logs([pipe])
        transfers, (tally,) = read_transfers([pipe])
    assert (len(transfers), tally.bad, tally.cut) == (3000, 0, "")


def test_a_pipe_with_something_else_is_left_to_other_readers() -> None:
    text = "State Recv-Q Send-Q\nESTAB 0 0 \n"
    with pipe_of(text.encode()) as pipe:
        assert not are_transfer_logs([pipe])
        assert read_text_file(pipe, "text") == text


def test_a_pipe_that_stays_silent_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(text_files, "PATIENCE_S", 0.05)
    with pytest.raises(UserError, match=r"pipe: nothing came for 0 s; allowed: a file, or a pipe"):
        are_transfer_logs([pipe])
    monkeypatch.setattr(text_files, "MOST_BYTES", 100_000)
    with (
        pipe_of(b"x" * 100_001) as long,
        pytest.raises(UserError, match=r"/dev/fd/\d+: has more than 0 MB; allowed: a shorter file"),
    ):
        are_transfer_logs([long])
    with pytest.raises(UserError, match=r"nowhere\.log: No such file"):
        are_transfer_logs([tmp_path / "nowhere.log"])


def test_a_log_that_is_packed_too_small_is_refused(tmp_path: Path) -> None:
    """Real logs are compressed by less than 200."""
    file = tmp_path / "gridftp.log"
    text = f"{log_line()}\n".encode()
    file.write_bytes(gzip.compress(text + b" " * 30_000_000))
    with pytest.raises(
        UserError, match=r"gridftp.log:1: is compressed with gzip, and its \d+ byte"
    ):
        read_transfers([file])


def test_logs_and_other_readings_are_not_mixed(tmp_path: Path) -> None:
    log, other = tmp_path / "gridftp.log", tmp_path / "run.ss.txt"
    log.write_text(log_line())
    other.write_text("State Recv-Q Send-Q\nESTAB 0 0 \n")
    assert not are_transfer_logs([other])
    with pytest.raises(
        UserError, match=r"run\.ss\.txt:1: is not a transfer log, but gridftp\.log is"
    ):
        are_transfer_logs([log, other])


# ---- FTS ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", FTS_FORMS.values(), ids=FTS_FORMS)
def test_fts_messages(read: Read, text: str) -> None:
    """The rate is that of the transfer, 8 s, not of all that FTS did, 16 s."""
    (group,), tally = read(text, "fts.json")
    assert (group.count, group.median_bps) == (2, 100e6)
    assert group.setting == Setting("se1.example.org", "se2.example.net", 4, 1, 0)
    assert (tally.bad, tally.whole_operation) == (0, 0)


def test_messages_over_several_lines(read: Read) -> None:
    pretty = "".join(f"CO {json.dumps(fts_message(), indent=3)}\n" for _ in range(3))
    damaged = pretty.replace('"nstreams": 4', '"nstreams": "many"', 1)
    (group,), tally = read(damaged, "fts.json")
    assert (group.count, tally.bad) == (2, 1)
    assert tally.bad_shown == [(1, 'nstreams is "many", which is not a number')]


def test_messages_without_a_rate(read: Read) -> None:
    start = {"transfer_id": "a", "timestamp": 1}
    state = {"file_state": "ACTIVE", "job_state": "ACTIVE", "source_se": "a", "timestamp": 1}
    text = json_lines(fts_message(t_final_transfer_state="Error"), fts_message(f_size=0)) + (
        f"CO {json_lines(fts_message())}ST {json_lines(start)}SS {json_lines(state)}"
    )
    whole = {"timestamp_tr_st": None, "tr_timestamp_start": 2, "tr_timestamp_complete": 1}
    text += json_lines(fts_message(timestamp_tr_st=0), fts_message(**whole))
    text += json_lines(fts_message(t_final_transfer_state=None, t_final_transfer_state_flag=-1))
    groups, tally = read(text + '{"tr_id": "cut', "fts.json")
    assert tally.failed == {"Error": 2}
    # 0 bytes by f_size, but 100 MB were transferred; 16 s where FTS did not time the transfer.
    assert [group.count for group in groups] == [3]
    assert (groups[0].low_bps, groups[0].high_bps) == (75e6, 100e6)
    assert (tally.whole_operation, tally.other) == (1, 2)
    assert [fault for _, fault in tally.bad_shown] == [
        "ends before it starts",
        "the JSON is truncated",
    ]


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({}, 10),
        ({"tx_duration": None}, 10),
        ({"tx_duration": None, "throughput": None}, 13),
        ({"tx_duration": 0, "throughput": 20.0}, 5),
    ],
)
def test_files_of_an_fts_job(read: Read, fields: dict[str, object], seconds: float) -> None:
    """FTS has its throughput in MiB/s."""
    job = {"job_id": "j", "job_state": "FINISHED", "files": [fts_file(**fields)]}
    for text in (json_lines(job), json_lines([fts_file(**fields)])):
        (group,), tally = read(text, "job.json")
        assert group.median_bps == pytest.approx((8 * 100 << 20) / seconds, rel=1e-6)
        assert group.setting == Setting("se1.example.org", "se2.example.net", 4, 1, 1 << 20)
        assert tally.whole_operation == (seconds == 13)


def test_a_job_may_have_the_parameters_of_its_files(read: Read) -> None:
    files = [
        fts_file(internal_file_params=None),
        fts_file(file_state="FAILED"),
        fts_file(file_state="ACTIVE"),
        fts_file(filesize=None),
        3,
    ]
    job = {"job_id": "j", "params": {"nostreams": 8, "buffer_size": 65536}, "files": files}
    (group,), tally = read(json_lines(job), "job.json")
    assert (group.setting.streams, group.setting.buffer) == (8, 65536)
    assert (tally.failed, tally.other) == ({"FAILED": 1}, 1)
    assert tally.bad_shown == [(1, "has no filesize"), (1, "is only a part of a record")]


@pytest.mark.parametrize(
    "state",
    [
        "SUBMITTED", "READY", "ACTIVE", "STAGING", "STARTED", "ARCHIVING", "QOS_TRANSITION",
        "QOS_REQUEST_SUBMITTED", "NOT_USED", "ON_HOLD", "ON_HOLD_STAGING", "FORCE_START",
        "SELECTED", "TOKEN_PREP", "SCHEDULED", "SOMETHING_NEW",
    ],
)  # fmt: skip
def test_a_file_in_any_other_state_has_not_ended(read: Read, state: str) -> None:
    files = [fts_file(), fts_file(file_state=state)]
    files += [fts_file(file_state="CANCELED"), fts_file(file_state="failed")]
    (group,), tally = read(json_lines({"job_id": "j", "files": files}), "job.json")
    assert (group.count, tally.other, tally.bad) == (1, 1, 0)
    assert tally.failed == {"CANCELED": 1, "FAILED": 1}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e400", "1" * 5000, "[1]"])
def test_a_number_that_is_none(read: Read, value: str) -> None:
    text = json_lines(fts_message()) + json_lines(fts_message(f_size="@")).replace('"@"', value)
    (group,), tally = read(text, "fts.json")
    assert (group.count, tally.bad) == (1, 1)
