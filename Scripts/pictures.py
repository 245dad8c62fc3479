#!/usr/bin/env python3
"""Makes the pictures of the README, in Documentation/Images: the editor of models and the browser of stores, on the model
in Examples/Music. Needs Chromium with its driver, which `make test-browser` installs.
"""
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "Documentation/Images"
DRIVER = "http://127.0.0.1:9517"
SONGS = [
    ("So What", 545, 5, "Miles Davis", "Jazz"), ("Blue in Green", 337, 4, "Miles Davis", "Jazz"),
    ("Sinnerman", 618, 5, "Nina Simone", "Soul"), ("Feeling Good", 174, 4, "Nina Simone", "Soul"),
    ("Águas de Março", 213, 5, "Elis Regina", "Bossa nova"), ("Hoppípolla", 267, 4, "Sigur Rós", "Post-rock"),
    ("Teardrop", 330, 5, "Massive Attack", "Trip hop"), ("Angel", 379, 3, "Massive Attack", "Trip hop"),
]


def request(method, path, body=None):
    """A request to the driver, by the protocol WebDriver of the W3C."""
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(DRIVER + path, data, method=method)) as answer:
        return json.load(answer)["value"]


def imported(coredata, store, entity, rows):
    file = store.parent / f"{entity}.json"
    file.write_text(json.dumps(rows))
    arguments = ["--key", "name"] if entity != "Song" else []
    if not store.exists():
        arguments += ["--create", "--model", ROOT / "Examples/Music/Music.coredata"]
    subprocess.run([coredata, "store", "import", store, file, "--entity", entity, *arguments], check=True,
                   stdout=subprocess.DEVNULL)


def started(folder, *command):
    """A server of pages, and its address."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return process, found[0]
    sys.exit(f"{command} printed no address.")


def picture(session, name, address, pages):
    request("POST", f"/session/{session}/url", {"url": address})
    for page in pages:
        origin = re.match(r"http://[^/]+", address)[0]
        request("POST", f"/session/{session}/url", {"url": origin + page})
    time.sleep(1)
    (IMAGES / name).write_bytes(base64.b64decode(request("GET", f"/session/{session}/screenshot")))


def main():
    coredata = ROOT / ".build/check/debug/coredata"
    subprocess.run([ROOT / "Scripts/coredata.sh", "--version"], check=True)
    IMAGES.mkdir(exist_ok=True)
    driver = subprocess.Popen(["chromedriver", "--port=9517", "--log-level=OFF"], stdout=subprocess.DEVNULL)
    processes = [driver]
    try:
        with tempfile.TemporaryDirectory() as folder:
            store = pathlib.Path(folder) / "Music.sqlite"
            imported(coredata, store, "Artist", [{"name": name} for name in dict.fromkeys(song[3] for song in SONGS)])
            imported(coredata, store, "Song", [
                {"title": title, "duration": duration, "rating": rating, "artist.name": artist}
                for title, duration, rating, artist, _ in SONGS])
            model = pathlib.Path(folder) / "Music.xcdatamodeld"
            subprocess.run([coredata, "model", "convert", ROOT / "Examples/Music/Music.coredata", model], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            options = {"args": ["--headless=new", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,860"]}
            for _ in range(50):
                try:
                    session = request("POST", "/session", {"capabilities": {"alwaysMatch": {
                        "goog:chromeOptions": options}}})["sessionId"]
                    break
                except OSError:
                    time.sleep(0.2)
            for name, command, pages in [
                    ("browser.png", ("store", "browse", "Music.sqlite"), ["/e/Song?sort=artist.name,title"]),
                    ("editor.png", ("model", "edit", "Music.xcdatamodeld"), ["/?tab=diagram"])]:
                process, address = started(folder, coredata, *command)
                processes.append(process)
                picture(session, name, address, pages)
            request("DELETE", f"/session/{session}")
    finally:
        for process in processes:
            process.terminate()


main()
