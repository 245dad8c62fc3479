#!/usr/bin/env python3
"""Makes the drawings of the guides, of README.md and of the site, light and dark, in the Resources of the catalog.

--check  fails if a drawing is not what this script makes
"""
import html
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Sources/CoreData/CoreData.docc/Resources"
FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
LIGHT = {
    "text": "#1c2430", "soft": "#566273", "line": "#7d8a9c", "back": "#ffffff", "zone": "#f3f6fa", "zoneline": "#d5dde7",
    "blue": ("#e3eefb", "#3d78b8"), "green": ("#e2f4e8", "#3a8a5c"), "orange": ("#fdeedd", "#b8742a"),
    "violet": ("#efe9fb", "#7a5cb8"), "red": ("#fbe6e6", "#b84a4a"),
}
DARK = {
    "text": "#e8edf4", "soft": "#a9b5c5", "line": "#8190a4", "back": "#14181e", "zone": "#1b222b", "zoneline": "#343f4e",
    "blue": ("#1b3350", "#6ea8e4"), "green": ("#173a28", "#65bd8a"), "orange": ("#44301a", "#dca25c"),
    "violet": ("#322751", "#a98fe6"), "red": ("#4a2226", "#e58484"),
}


class Drawing:
    """Shapes in one palette. Distances are pixels at the natural size."""

    def __init__(self, palette, width, height, title):
        self.palette, self.width, self.height, self.title, self.parts = palette, width, height, title, []

    def add(self, text):
        self.parts.append(text)

    def text(self, x, y, text, size=14, color="text", anchor="middle", weight=400):
        self.add(f'<text x="{x}" y="{y}" font-size="{size}" fill="{self.palette[color]}" text-anchor="{anchor}" '
                 f'font-weight="{weight}">{html.escape(text)}</text>')

    def zone(self, x, y, width, height, name):
        """An area with a name in its corner."""
        self.add(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="{self.palette["zone"]}" '
                 f'stroke="{self.palette["zoneline"]}"/>')
        self.text(x + 14, y + 22, name, 13, "soft", "start", 600)

    def box(self, x, y, width, height, color, name, *lines):
        fill, stroke = self.palette[color]
        self.add(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{fill}" stroke="{stroke}" '
                 f'stroke-width="1.5"/>')
        first = y + height / 2 + 5 - 9 * len(lines)
        self.text(x + width / 2, first, name, 14, weight=600)
        for number, line in enumerate(lines):
            self.text(x + width / 2, first + 18 * (number + 1), line, 12.5, "soft")

    def cylinder(self, x, y, width, height, color, name, *lines):
        """A store."""
        fill, stroke = self.palette[color]
        ry = 9
        self.add(f'<path d="M{x} {y + ry} a{width / 2} {ry} 0 0 1 {width} 0 v{height - 2 * ry} a{width / 2} {ry} 0 0 1 '
                 f'{-width} 0 z" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>')
        self.add(f'<path d="M{x} {y + ry} a{width / 2} {ry} 0 0 0 {width} 0" fill="none" stroke="{stroke}" '
                 f'stroke-width="1.5"/>')
        first = y + height / 2 + 12 - 9 * len(lines)
        self.text(x + width / 2, first, name, 14, weight=600)
        for number, line in enumerate(lines):
            self.text(x + width / 2, first + 18 * (number + 1), line, 12.5, "soft")

    def arrow(self, *points, label="", at=None, anchor="middle", both=False, dashed=False):
        """A line through points, with a tip at its end."""
        path = "M" + " L".join(f"{x} {y}" for x, y in points)
        start = ' marker-start="url(#tip)"' if both else ""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.add(f'<path d="{path}" fill="none" stroke="{self.palette["line"]}" stroke-width="1.6"{dash}{start} '
                 f'marker-end="url(#tip)"/>')
        if label:
            x, y = at or ((points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2 - 6)
            self.text(x, y, label, 12.5, "soft", anchor)

    def svg(self):
        palette = self.palette
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" aria-labelledby="title" font-family="{FONT}">',
            f'<title id="title">{html.escape(self.title)}</title>',
            f'<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            f'orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 z" fill="{palette["line"]}"/></marker></defs>',
            *self.parts, "</svg>", "",
        ])


def stack(d):
    d.zone(10, 10, 700, 112, "Contexts: objects and their unsaved changes")
    d.box(30, 46, 170, 58, "blue", "editor", "child of viewContext")
    d.box(290, 46, 170, 58, "blue", "viewContext", "main queue")
    d.box(520, 46, 170, 58, "blue", "background", "private queue")
    d.box(200, 178, 320, 58, "violet", "NSPersistentStoreCoordinator", "sends requests to stores, finds conflicts")
    d.box(572, 178, 138, 58, "orange", "Model", "entities, rules")
    d.zone(10, 290, 700, 112, "Stores: rows")
    d.cylinder(40, 324, 180, 64, "green", "Music.sqlite", "SQLite, Apple’s format")
    d.cylinder(270, 324, 180, 64, "green", "memory", "for tests")
    d.cylinder(500, 324, 180, 64, "green", "PostgreSQL", "a server, shared")
    d.arrow((370, 104), (362, 176), both=True)
    d.arrow((580, 104), (460, 176), both=True)
    d.arrow((572, 207), (522, 207))
    d.arrow((200, 75), (288, 75), label="saves into", at=(244, 66))
    for x in (140, 360, 590):
        d.arrow((290 + (x - 140) * 0.3, 236), (x, 322), both=True)


def contexts(d):
    d.zone(10, 10, 330, 150, "viewContext · main queue")
    d.zone(380, 10, 330, 150, "background · private queue")
    d.box(40, 50, 270, 90, "blue", "Song object", "title “So What”, rating 4", "the same row, another object")
    d.box(410, 50, 270, 90, "blue", "Song object", "title “So What”, rating 5", "changed, not saved")
    d.cylinder(250, 286, 220, 84, "green", "Row of the song", "one in the store")
    d.arrow((580, 160), (440, 290), label="1. save", at=(548, 232), anchor="start")
    d.box(270, 186, 180, 50, "violet", "2. DidSave", "notification, with object IDs")
    d.arrow((360, 286), (360, 238))
    d.arrow((270, 211), (175, 211), (175, 162))
    d.text(164, 216, "3. merge:", 12.5, "soft", "end")
    d.text(164, 234, "the object has 5", 12.5, "soft", "end")
    d.text(360, 396, "Objects stay on their queue. IDs may go anywhere.", 13, "soft")


def faulting(d):
    d.box(20, 60, 190, 86, "blue", "Fault", "its ID, no values", "song.isFault == true")
    d.box(510, 60, 190, 86, "green", "Filled object", "all attributes", "song.isFault == false")
    d.box(265, 24, 190, 54, "violet", "Row cache", "of the coordinator")
    d.cylinder(285, 120, 150, 66, "orange", "Store", "one SELECT")
    d.arrow((210, 84), (262, 58), label="song.title", at=(226, 46), anchor="end")
    d.arrow((455, 52), (508, 84), label="the row is there", at=(560, 44))
    d.arrow((360, 78), (360, 120), label="it isn’t", at=(370, 104), anchor="start")
    d.arrow((435, 158), (508, 128))
    d.arrow((605, 146), (605, 224), (115, 224), (115, 148), label="refresh(_:mergeChanges: false), refreshAllObjects()",
            at=(360, 216), dashed=True)
    d.text(360, 252, "A fetch of 1,000 songs with their artists as faults reads no artist. "
                     "Prefetching reads all artists at once.", 12.5, "soft")


def save(d):
    names = [
        ("Changes", "delete rules, inverses", "blue"), ("willSave()", "of each changed object", "blue"),
        ("Validation", "rules of model and class", "blue"), ("Conflicts?", "row versions, merge policy", "orange"),
        ("Transaction", "all rows or none", "green"), ("didSave()", "and the notification", "violet"),
    ]
    width, gap = 106, 12
    for number, (name, line, color) in enumerate(names):
        x = 12 + number * (width + gap)
        d.box(x, 46, width, 88, color, name, *wrapped(line))
        d.text(x + width / 2, 34, str(number + 1), 13, "soft", weight=600)
        if number:
            d.arrow((x - gap + 1, 90), (x - 1, 90))
    d.box(140, 186, 440, 60, "red", "An error, and nothing is written",
          "The changes are still in the context: mend them, or rollback()")
    for x in (301, 419, 537):
        d.arrow((x, 134), (x, 184), dashed=True)
    d.text(294, 166, "1550 … 1690", 12.5, "soft", "end")
    d.text(428, 166, "133020", 12.5, "soft", "start")
    d.text(546, 166, "disk full, lock", 12.5, "soft", "start")


def wrapped(line):
    """A short line in two, at the space nearest to its middle."""
    spaces = [at for at, letter in enumerate(line) if letter == " "]
    if len(line) <= 14 or not spaces:
        return [line]
    cut = min(spaces, key=lambda at: abs(at - len(line) / 2))
    return [line[:cut], line[cut + 1:]]


def migration(d):
    d.box(250, 14, 220, 52, "blue", "A store is added", "with the program’s model")
    d.box(250, 108, 220, 56, "orange", "Same version hashes?")
    d.box(540, 108, 166, 56, "green", "It opens", "nothing to do")
    d.box(250, 206, 220, 56, "orange", "A mapping model?", "in the program’s bundles")
    d.box(540, 206, 166, 56, "violet", "Migration manager", "three passes, a new file")
    d.box(250, 304, 220, 56, "orange", "Can it be inferred?", "added, removed, renamed …")
    d.box(540, 304, 166, 56, "green", "Lightweight", "in place, one transaction")
    d.box(250, 402, 220, 56, "red", "134110, 134130 …", "the error names what differs")
    d.box(14, 304, 176, 56, "violet", "In steps", "staged, progressive")
    d.arrow((360, 66), (360, 106))
    for y in (164, 262, 360):
        d.arrow((360, y), (360, y + 40), label="no", at=(370, y + 25), anchor="start")
    for y in (136, 234, 332):
        d.arrow((470, y), (538, y), label="yes", at=(504, y - 6))
    d.arrow((250, 430), (102, 430), (102, 362), dashed=True, label="more versions", at=(112, 448), anchor="start")
    d.arrow((102, 304), (102, 234), (248, 234), dashed=True)


def sync(d):
    d.zone(10, 10, 350, 300, "Device")
    d.box(26, 46, 150, 62, "blue", "App", "contexts, saves")
    d.box(192, 46, 152, 62, "violet", "SyncEngine", "reads the history")
    d.cylinder(26, 186, 150, 84, "green", "Notes.sqlite", "the app’s store")
    d.cylinder(192, 186, 152, 84, "orange", "Notes-sync.sqlite", "the side store")
    d.arrow((101, 108), (101, 184), both=True)
    d.arrow((288, 108), (288, 184), both=True)
    d.arrow((220, 108), (148, 186), both=True)
    d.text(185, 294, "Changes wait here while there is no network.", 12.5, "soft")
    d.zone(500, 10, 210, 300, "Server")
    d.box(520, 46, 170, 62, "violet", "coredata-serve", "order, rules, scopes")
    d.cylinder(520, 186, 170, 84, "green", "Store", "SQLite or PostgreSQL")
    d.arrow((605, 108), (605, 184), both=True)
    d.text(605, 294, "the contents for all", 12.5, "soft")
    d.arrow((344, 64), (518, 64), label="changes up", at=(430, 56))
    d.arrow((518, 90), (344, 90), label="changes down", at=(430, 84))
    d.arrow((560, 108), (560, 134), (316, 134), (316, 110), dashed=True, label="news", at=(430, 128))


def simulator(d):
    d.zone(10, 10, 700, 210, "One process, one seed")
    d.box(30, 46, 170, 62, "blue", "Device 1", "engine, two stores")
    d.box(30, 132, 170, 62, "blue", "Device 2 … 5", "engine, two stores")
    d.box(275, 76, 170, 88, "orange", "Messages", "lost, doubled, late,", "cut, of another account")
    d.box(520, 76, 170, 88, "violet", "Server", "store, rules", "crashes, restores")
    d.arrow((200, 77), (273, 106), both=True)
    d.arrow((200, 163), (273, 134), both=True)
    d.arrow((445, 120), (518, 120), both=True)
    d.box(30, 270, 300, 62, "green", "Reference", "the rules in 300 lines, without the engine")
    d.box(390, 270, 300, 62, "red", "Checks", "after each import, and when all is quiet")
    d.arrow((330, 301), (388, 301))
    d.arrow((115, 194), (115, 244), (460, 244), (460, 268))
    d.arrow((605, 164), (605, 268))


DRAWINGS = {
    "stack": (stack, 720, 412, "Contexts work with one coordinator, which knows the model and has the stores."),
    "contexts": (contexts, 720, 410, "Two contexts have an object each for one row; a save of one is merged into the other."),
    "faulting": (faulting, 720, 266, "Reading a property fills a fault from the row cache, or from the store."),
    "save": (save, 720, 262, "A save has six steps; an error before the end of the transaction writes nothing."),
    "sync": (sync, 720, 320, "An app saves into its store; the engine exchanges changes with the server, and has a side store."),
    "simulator": (simulator, 720, 346, "Devices and a server exchange messages that get lost; checks compare them with a reference."),
    "migration": (migration, 720, 472, "How a store of another version is opened: hashes, mapping model, inference, steps."),
}


def main():
    is_check = "--check" in sys.argv[1:]
    FOLDER.mkdir(exist_ok=True)
    old = []
    for name, (draw, width, height, title) in DRAWINGS.items():
        for suffix, palette in (("", LIGHT), ("~dark", DARK)):
            drawing = Drawing(palette, width, height, title)
            draw(drawing)
            file = FOLDER / f"{name}{suffix}.svg"
            if is_check and (not file.exists() or file.read_text() != drawing.svg()):
                old.append(file.name)
            elif not is_check:
                file.write_text(drawing.svg())
    if old:
        sys.exit(f"{', '.join(old)}: run Scripts/docs-drawings.py.")


main()
