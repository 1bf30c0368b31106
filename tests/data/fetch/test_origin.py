"""Web folders and the user's own copies."""

import random

import pytest

from sobench_metrics.data.fetch.errors import FetchError, Refused
from sobench_metrics.data.fetch.origin import Folder, Origin, Site
from sobench_metrics.data.fetch.spool import SpooledStream

DATA = random.Random(9).randbytes(50_000)


@pytest.mark.parametrize("slash", ["", "/"])
def test_a_site_gives_its_files_by_name(server, http, slash):
    server.put("/data/set one/a.zip", DATA)
    site = Site(f"{server.url}/data{slash}", http)
    assert isinstance(site, Origin)
    assert site.where == f"{server.url}/data/"
    assert site.read("set one/a.zip", limit=len(DATA)) == DATA
    with site.open("set one/a.zip") as file:
        assert (file.size, file.tag) == (len(DATA), server._content["/data/set one/a.zip"].headers["ETag"])
    assert site.revision_of("set one/a.zip") == f"etag:{file.tag}"


def test_a_file_without_a_version_has_that_of_its_size(server, http):
    server.put("/a.zip", DATA, ETag=None)
    assert Site(server.url, http).revision_of("a.zip") == "size:50000"


def test_a_site_has_no_listing_and_no_names_out_of_its_folder(server, http):
    site = Site(f"{server.url}/data", http)
    with pytest.raises(FetchError, match="has no list of its files"):
        site.listing()
    with pytest.raises(Refused):
        site.open("../secret")
    assert server.asked == []


def test_a_mirror_is_asked_in_place_of_the_site(server, http, monkeypatch):
    server.put("/mirror/files.example.org/ocr/a.zip", DATA)
    monkeypatch.setenv("SOBENCH_SITES_URL", f"{server.url}/mirror/")
    site = Site("https://files.example.org/ocr", http)
    assert site.read("a.zip", limit=len(DATA)) == DATA
    assert site.where == "https://files.example.org/ocr/"


@pytest.mark.parametrize("mirrored", [True, False])
def test_a_password_in_a_sites_address_is_not_shown(server, http, monkeypatch, tmp_path, mirrored):
    secret = server.url.replace("//", "//user:secret@")
    server.put("/mirror/files.example.org/ocr/a.zip" if mirrored else "/ocr/a.zip", DATA)
    if mirrored:
        monkeypatch.setenv("SOBENCH_SITES_URL", f"{secret}/mirror")
    site = Site("https://user:secret@files.example.org/ocr" if mirrored else f"{secret}/ocr", http)
    assert "secret" not in site.where
    assert "secret" not in site.open("a.zip").name
    with SpooledStream(http, site.url("a.zip"), tmp_path / "a.zip") as stream:
        assert stream.read() == DATA
    with SpooledStream(http, site.url("a.zip"), tmp_path / "a.zip") as stream:
        assert stream.read() == DATA
    assert server.requests("/mirror/files.example.org/ocr/a.zip" if mirrored else "/ocr/a.zip") == 2
    assert all(b"secret" not in file.read_bytes() for file in tmp_path.iterdir())


@pytest.fixture
def folder(tmp_path):
    for name in ("b.json", "images/1.png", "images/deep/2.png"):
        (tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "own" / name).write_bytes(name.encode())
    return tmp_path / "own"


def test_a_folder_gives_and_lists_its_files(folder):
    own = Folder(folder)
    assert isinstance(own, Origin)
    assert (own.where, own.revision) == (str(folder), "local")
    assert own.listing() == {"b.json": 6, "images/1.png": 12, "images/deep/2.png": 17}
    assert own.listing("images/deep") == {"images/deep/2.png": 17}
    assert own.read("images/1.png", limit=12) == b"images/1.png"
    with own.open("b.json") as file:
        assert (file.read(), file.size) == (b"b.json", 6)


def test_a_folders_faults_are_told(folder):
    own = Folder(folder)
    with pytest.raises(Refused, match="has 12 bytes, more than the 11"):
        own.read("images/1.png", limit=11)
    for name in ("none.png", "images"):
        with pytest.raises(FetchError, match=f"has no file {name}: check the path given with --local-archive"):
            own.open(name)
    with pytest.raises(Refused):
        own.read("../own/b.json", limit=99)
    with pytest.raises(FetchError, match=r"there is no .*nowhere"):
        Folder(folder / "nowhere")


def test_the_users_own_links_are_followed(folder, tmp_path):
    (tmp_path / "disk2").mkdir()
    (tmp_path / "disk2" / "3.png").write_bytes(b"three")
    (folder / "more").symlink_to(tmp_path / "disk2")
    assert Folder(folder).read("more/3.png", limit=9) == b"three"


def test_one_file_stands_for_whatever_is_asked(folder):
    own = Folder(folder / "b.json")
    assert own.read("archive.zip", limit=9) == b"b.json"
    assert own.listing() == {"b.json": 6}
