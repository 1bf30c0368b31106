"""One file from one server: what is retried, what is resumed, and what is refused."""

import random
import socket
from email.utils import formatdate

import pytest

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.http import Changed, Http, NoRanges
from tests.engines.hostile_server import Fault, HostileServer

DATA = random.Random(7).randbytes(300_000)


def test_a_file_is_had_in_one_request_and_counted(server, http):
    url = server.put("/a/file.bin", DATA)
    assert http.get(url, limit=len(DATA)) == DATA
    assert (http.traffic.bytes, http.traffic.requests) == (len(DATA), 1)
    assert list(http.traffic.by_host) == [server.url.removeprefix("http://")]
    assert server.asked[0].headers["User-Agent"].startswith("sobench/")


def test_a_file_larger_than_allowed_is_refused_before_it_is_read(server, http):
    url = server.put("/big", DATA)
    with pytest.raises(Refused, match=r"has 300000 bytes, more than the 1000"):
        http.get(url, limit=1000)
    assert http.traffic.bytes == 0


def test_a_file_of_untold_length_is_read_to_the_limit_and_no_further(server, http):
    url = server.put("/endless", DATA, Content_Length=None)
    server.always("/endless", Fault(headers={"Content-Length": None}))
    with pytest.raises(Refused, match="more than the 1000 bytes"):
        http.get(url, limit=1000)
    assert http.traffic.bytes <= 1000 + 65536
    assert http.get(url, limit=len(DATA)) == DATA


@pytest.mark.parametrize(("status", "first"), [(408, 1), (425, 1), (429, 10), (500, 1), (502, 1), (503, 1), (504, 1)])
def test_a_passing_fault_is_tried_again_with_growing_pauses(server, http, pauses, status, first):
    url = server.put("/f", DATA)
    server.then("/f", *[Fault(status=status)] * 4)
    assert http.get(url, limit=len(DATA)) == DATA
    assert len(pauses) == 4
    for number, pause in enumerate(pauses):
        assert min(60, first * 2**number) / 2 <= pause <= min(60, first * 2**number)


def test_a_server_that_counts_requests_is_waited_for_during_minutes(server, http, pauses):
    url = server.put("/f", DATA)
    server.then("/f", *[Fault(status=429)] * 7)
    assert http.get(url, limit=len(DATA)) == DATA
    assert 150 <= sum(pauses) <= 310
    assert max(pauses) <= 60
    server.always("/f", Fault(status=429))
    with pytest.raises(FetchError, match=r"in 8 tries \(it answers with status 429\)"):
        http.get(url, limit=len(DATA))


def test_patience_ends_with_a_sentence(server, http, pauses):
    url = server.put("/f", DATA)
    server.always("/f", Fault(status=503))
    with pytest.raises(
        FetchError, match=r"/f could not be read in 6 tries \(it answers with status 503\).*repeat"
    ) as told:
        http.get(url + "?signature=secret", limit=len(DATA))
    assert "secret" not in str(told.value)
    assert server.requests("/f") == 6
    assert len(pauses) == 5


@pytest.mark.parametrize(("wish", "least", "most"), [("7", 7, 7), ("86400", 120, 120), ("soon", 5, 10)])
def test_the_servers_own_pause_is_kept_up_to_a_bound(server, http, pauses, wish, least, most):
    url = server.put("/f", DATA)
    server.then("/f", Fault(status=429, headers={"Retry-After": wish}))
    http.get(url, limit=len(DATA))
    assert least <= pauses[0] <= most


def test_a_pause_told_as_a_date_is_kept(server, http, pauses, monkeypatch):
    url = server.put("/f", DATA)
    server.then("/f", Fault(status=503, headers={"Retry-After": formatdate(0, usegmt=True)}))
    server.then("/f", Fault(status=503, headers={"Retry-After": formatdate(2**33, usegmt=True)}))
    http.get(url, limit=len(DATA))
    assert pauses == [0.0, 120.0]


@pytest.mark.parametrize(("status", "remedy"), [(401, "HF_TOKEN"), (403, "HF_TOKEN"), (404, "has moved"), (400, "400")])
def test_a_final_fault_is_told_at_once_with_its_remedy(server, http, pauses, status, remedy):
    server.always("/f", Fault(status=status))
    with pytest.raises(FetchError, match=rf"{remedy}.*--local-archive") as told:
        http.get(server.url + "/f", limit=9)
    assert not isinstance(told.value, Refused)
    assert server.requests("/f") == 1
    assert pauses == []


@pytest.fixture
def nobody():
    """An address of this machine where nobody listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{closed.getsockname()[1]}/f"


def no_such_name(*_, **__):
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


@pytest.mark.parametrize("name", [True, False])
def test_no_server_at_all_is_told_in_a_sentence_after_seconds(http, pauses, nobody, monkeypatch, name):
    """A user without a network should not wait half a minute for being told so."""
    if not name:
        monkeypatch.setattr(socket, "getaddrinfo", no_such_name)
    with pytest.raises(FetchError, match=r"in 3 tries \(Connection\w* from 127.0.0.1:\d+\): check the network"):
        http.get(nobody, limit=9)
    assert sum(pauses) <= 3


def test_a_proxy_that_is_not_there_is_told_as_soon(pauses, nobody, monkeypatch):
    monkeypatch.setenv("http_proxy", nobody)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    http = Http(sleep=pauses.append)
    with pytest.raises(FetchError, match=r"in 3 tries \(ProxyError"):
        http.get("http://example.org/f", limit=9)
    http.close()


def test_a_host_that_has_answered_before_is_waited_for(server, http, pauses, monkeypatch):
    """A network that goes away for a moment, in the middle of hours of work."""
    stream = http.stream(server.put("/f", DATA))
    server.then("/f", Fault(cut=100_000))
    next(stream)
    http.close()
    monkeypatch.setattr(socket, "getaddrinfo", no_such_name)
    with pytest.raises(FetchError, match="in 6 tries"):
        b"".join(stream)
    assert len(pauses) == 5


def test_a_password_in_an_address_is_shown_nowhere(server, http, nobody):
    url = server.put("/f", DATA).replace("//", "//user:secret@")
    assert http.get(url, limit=len(DATA)) == DATA
    assert list(http.traffic.by_host) == [server.url.removeprefix("http://")]
    assert "secret" not in http.open(url).name
    with pytest.raises(FetchError) as told:
        http.get(nobody.replace("//", "//user:secret@"), limit=9)
    assert "secret" not in str(told.value)


def test_a_server_that_hangs_up_without_a_word_is_asked_again(server, http, pauses):
    url = server.put("/f", DATA)
    server.then("/f", Fault(drop=True), Fault(drop=True))
    assert http.get(url, limit=len(DATA)) == DATA
    assert len(pauses) == 2


def test_a_cut_download_goes_on_where_it_was_cut(server, http):
    url = server.put("/f", DATA)
    server.then("/f", Fault(cut=100_000), Fault(cut=90_000), Fault(cut=70_000))
    assert b"".join(http.stream(url)) == DATA
    assert server.moved["/f"] == len(DATA)
    assert server.ranges("/f") == [None, "bytes=100000-", "bytes=190000-", "bytes=260000-"]
    assert server.asked[1].headers["If-Range"] == server.asked[3].headers["If-Range"] != ""


def test_cuts_after_good_stretches_do_not_use_up_patience(server, pauses):
    http = Http(sleep=pauses.append, tries=2)
    url = server.put("/f", DATA * 3)
    server.then("/f", *[Fault(cut=70_000)] * 8)
    assert b"".join(http.stream(url)) == DATA * 3
    http.close()


def test_a_server_that_gives_a_byte_at_a_time_before_it_hangs_up_is_left(server, http):
    url = server.put("/f", DATA)
    server.always("/f", Fault(cut=1))
    with pytest.raises(FetchError, match="cut after 6 bytes"):
        b"".join(http.stream(url))


def test_a_slow_server_is_waited_for(server, http):
    url = server.put("/f", DATA[:5000])
    server.always("/f", Fault(pieces=97))
    assert b"".join(http.stream(url)) == DATA[:5000]
    assert server.requests("/f") == 1


def test_a_silent_server_is_asked_again(server, pauses):
    """The first connection is taken and never answered."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        http = Http(sleep=pauses.append, tries=2, timeout=0.05)
        with pytest.raises(FetchError, match=r"in 2 tries .*Timeout"):
            http.get(f"http://127.0.0.1:{silent.getsockname()[1]}/f", limit=9)
        http.close()


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param({}, {"ETag": '"other"'}, id="told by a whole answer to If-Range"),
        pytest.param({}, {"Content-Range": "bytes 100000-299999/300001"}, id="told by its length"),
        pytest.param(
            {"ETag": None}, {"ETag": None, "Last-Modified": "Tue, 02 Jan 2024 00:00:00 GMT"}, id="by its date"
        ),
        pytest.param({"ETag": 'W/"1"'}, {"ETag": 'W/"2"'}, id="told by a weak tag, which If-Range may not carry"),
    ],
)
def test_a_file_that_changes_in_the_middle_is_never_mixed(server, http, first, then):
    url = server.put("/f", DATA, Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")
    server.then("/f", Fault(cut=100_000, headers=first), Fault(headers=then))
    stream = http.stream(url)
    with pytest.raises(Changed, match="changed while it was being read: repeat the command"):
        b"".join(stream)
    assert stream.position == 100_000
    assert "W/" not in server.asked[1].headers["If-Range"]


def test_a_stream_of_a_known_version_does_not_start_with_another(server, http):
    url = server.put("/f", DATA)
    assert b"".join(http.stream(url, start=299_990, etag=http.probe(url).etag)) == DATA[299_990:]
    with pytest.raises(Changed):
        next(http.stream(url, start=10, etag='"older"'))


def test_a_file_that_shrank_is_a_changed_one(server, http):
    url = server.put("/f", DATA)
    pin = http.probe(url)
    server.put("/f", DATA[:10], ETag=pin.etag)
    with pytest.raises(Changed):
        next(http.resume(url, 100, pin))


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Range": "bytes 10-19/300000"},
        {"Content-Range": "bytes 1-9/300000", "Content-Length": "9"},
        {"Content-Range": "bytes 0-8/300000", "Content-Length": "9"},
        {"Content-Range": "bytes 0-10/300000", "Content-Length": "11"},
        {"Content-Length": "9"},
        {"Content-Range": "bytes 0-9"},
        {"Content-Range": "pages 0-9/300000"},
        {"Content-Range": None},
    ],
)
def test_another_part_than_the_asked_one_is_refused(server, http, headers):
    url = server.put("/f", DATA)
    file = http.open(url, block=10)
    server.then("/f", Fault(headers=headers))
    with pytest.raises(Refused, match="not used"):
        file.read(10)


def test_a_part_that_was_not_asked_for_is_refused(server, http):
    url = server.put("/f", DATA)
    server.always("/f", Fault(status=206))
    with pytest.raises(Refused, match="not asked for"):
        http.get(url, limit=len(DATA))


def test_without_ranges_a_whole_file_is_read_but_none_is_continued_or_opened(server, http):
    url = server.put("/f", DATA)
    server.always("/f", Fault(no_ranges=True))
    assert b"".join(http.stream(url)) == DATA
    with pytest.raises(NoRanges, match="ignores ranges"):
        http.open(url)
    server.then("/f", Fault(cut=1000))
    with pytest.raises(NoRanges):
        b"".join(http.stream(url))
    server.then("/f", Fault(cut=1000))
    assert http.get(url, limit=len(DATA)) == DATA  # a small file is simply read again


@pytest.mark.parametrize("kind", ["text/html", "TEXT/HTML; charset=utf-8", "application/xhtml+xml", None])
def test_a_web_page_is_not_taken_for_the_file(server, http, kind):
    page = b"  <!DOCTYPE html><title>Sign in</title>" if kind is None else b"Please sign in"
    url = server.put("/f", page, Content_Type=kind)
    with pytest.raises(Refused, match="gives a web page instead of the file"):
        http.get(url, limit=len(DATA))
    with pytest.raises(Refused, match="gives a web page instead of the file"):
        b"".join(http.stream(url))
    assert server.requests("/f") == 2


def test_a_body_that_was_compressed_unasked_is_refused_except_where_the_file_itself_is_that(server, http):
    server.put("/f.json", b"{}", Content_Encoding="gzip")
    server.put("/f.tgz", DATA, Content_Encoding="gzip")
    with pytest.raises(Refused, match="re-compressed"):
        http.get(server.url + "/f.json", limit=9)
    assert b"".join(http.stream(server.url + "/f.tgz")) == DATA
    assert {asked.headers["Accept-Encoding"] for asked in server.asked} == {"identity"}


def test_a_redirect_is_followed_and_the_token_stays_at_its_host(server, http):
    with HostileServer() as other:
        url = other.put("/real", DATA)
        server.always("/f", Fault(status=302, headers={"Location": "/g"}))
        server.always("/g", Fault(status=307, headers={"Location": url}))
        got = http.get(server.url + "/f", limit=len(DATA), headers={"authorization": "Bearer secret", "X-Kept": "1"})
        assert got == DATA
        assert [asked.headers.get("authorization") for asked in server.asked] == ["Bearer secret"] * 2
        assert "authorization" not in {name.lower() for name in other.asked[0].headers}
        assert other.asked[0].headers["X-Kept"] == "1"


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://127.0.0.1/f", "data:,x", "gopher://x", "http://[x", None]
)
def test_a_redirect_to_another_scheme_is_refused(server, http, target):
    server.always("/f", Fault(status=302, headers={"Location": target}))
    with pytest.raises(Refused, match="is not followed"):
        http.get(server.url + "/f", limit=9)
    assert server.requests("/f") == 1


@pytest.mark.parametrize(
    ("here", "there", "allowed"),
    [("http", "https", True), ("https", "https", True), ("http", "http", True), ("https", "http", False)],
)
def test_a_redirect_may_gain_encryption_and_never_lose_it(here, there, allowed):
    from sobench_metrics.data.fetch.answers import redirected

    if allowed:
        assert redirected(f"{here}://a/b", f"{there}://c/d") == f"{there}://c/d"
    else:
        with pytest.raises(Refused):
            redirected(f"{here}://a/b", f"{there}://c/d")


def test_the_body_of_a_redirect_is_not_read(server, http):
    url = server.put("/g", DATA)
    server.always("/f", Fault(status=302, headers={"Location": url}, body=bytes(64 << 20), pieces=1 << 16))
    assert http.get(server.url + "/f", limit=len(DATA)) == DATA
    assert server.moved["/f"] < 32 << 20  # what the system takes before anybody reads


def test_redirects_in_a_ring_end(server, http):
    server.always("/f", Fault(status=301, headers={"Location": "/f"}))
    with pytest.raises(Refused, match="more than 5 times"):
        http.get(server.url + "/f", limit=9)
    assert server.requests("/f") == 6


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "/etc/passwd"])
def test_only_web_addresses_are_asked(http, url):
    with pytest.raises(Refused, match="neither http nor https"):
        http.get(url, limit=9)


def test_no_more_requests_at_a_time_than_allowed_for_a_host(server, http):
    url = server.put("/f", DATA)
    streams = [http.stream(url) for _ in range(4)]
    for stream in streams:
        next(stream)
    (slot,) = http._slots.values()
    assert not slot.acquire(blocking=False)
    streams[0].close()
    assert slot.acquire(blocking=False)


def test_an_empty_file_is_a_file(server, http):
    url = server.put("/empty", b"")
    assert http.get(url, limit=0) == b""
    assert http.open(url).read() == b""
