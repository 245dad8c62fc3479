import CoreData
import Testing

extension ChromiumSuites.EditorChromiumTests {
    static let song = "at=entity%3ASong"
    static let enter = "\u{e007}"
    private static let tab = "\u{e004}"

    func edit(_ query: String = "", body: (EditorWindow, WebDriver) async throws -> Void) async throws {
        try await EditorWindow.open(at: query) { try await body($0, $0.driver) }
    }

    // MARK: The list

    @Test("An empty model gets an entity, which is named at once, and attributes one after the other")
    func first() async throws {
        let empty = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"/>
            """
        try await EditorWindow.open(["Music.xcdatamodeld/Music.xcdatamodel/contents": empty]) { window in
            let driver = window.driver
            try await driver.click(".empty button")
            #expect(try await window.becomes("document.activeElement.id === 'field-name'"))
            try await driver.type("Track" + Self.tab)
            #expect(try await window.becomes("document.querySelector('#main h1')?.innerText === 'Track'"))
            _ = try await driver.value("document.querySelector('form[data-add] input').focus(); return 'done'")
            for name in ["title", "artist"] {
                try await driver.type(name + Self.enter)
                #expect(
                    try await window.becomes(
                        """
                        document.querySelector('tr.selected')?.innerText.startsWith('\(name)')
                          && document.activeElement.name === 'name'
                        """
                    ))
            }
            let file = try await window.saved()
            expectContains(file, #"<entity name="Track" representedClassName="Track""#)
            expectContains(file, #"<attribute name="artist" optional="YES" attributeType="String"/>"#)
        }
    }

    @Test("A type is chosen in the table, and the inspector follows")
    func type() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.choose("td select[data-set*='Song/attribute:title']", "Date")
            #expect(try await window.becomes("document.getElementById('field-defaultDateTimeInterval')"))
            #expect(try await window.saved().contains(#"name="title" optional="YES" attributeType="Date""#))
        }
    }

    @Test("A check box in the table changes one line")
    func optional() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.click("td input[data-set*='attribute:title']")
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
            #expect(try await window.saved().contains(#"<attribute name="title" attributeType="String"/>"#))
        }
    }

    @Test("A slash leads to the filter, which narrows the list and stays after an edit")
    func filter() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.type("/")
            try await driver.type("alb")
            #expect(try await window.becomes("document.querySelectorAll('#entities li:not([hidden])').length === 1"))
            try await window.editElsewhere(#"{"kind": "add", "path": "", "element": "entity", "name": "Genre"}"#)
            #expect(try await window.becomes("document.querySelectorAll('#entities li').length === 3"))
            #expect(try await window.becomes("document.querySelectorAll('#entities li:not([hidden])').length === 1"))
        }
    }

    @Test("Links lead from relationship to relationship, and the browser's way back leads back")
    func back() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.click("#main td a[href*='Album']")
            #expect(try await window.becomes("document.querySelector('#main h1').innerText === 'Album'"))
            _ = try await driver.value("history.back(); return 'done'")
            #expect(try await window.becomes("document.querySelector('#main h1').innerText === 'Song'"))
            #expect(try await window.becomes("location.search.includes('Song')"))
        }
    }

    // MARK: The inspector

    @Test("A renamed entity is renamed in the list and in relationships")
    func rename() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.fill("#field-name", "Track")
            #expect(try await window.becomes("document.querySelector('#entities').innerText.includes('Track')"))
            let file = try await window.saved()
            expectContains(file, #"destinationEntity="Track" inverseName="album""#)
            #expect(!file.contains("Song"))
        }
    }

    @Test("A refused value stays in its field with the message")
    func refused() async throws {
        try await edit(Self.song + "%2Fattribute%3Alength") { window, driver in
            try await driver.fill("#field-maxValueString", "long")
            let message = try await driver.value(
                "return document.getElementById('field-maxValueString-message').innerText")
            expectEqual(message, "‘long’ is no Double.")
            let state = try await driver.value(
                """
                const field = document.getElementById('field-maxValueString');
                return field.value + field.getAttribute('aria-invalid')
                """
            )
            expectEqual(state, "longtrue")
            try await driver.fill("#field-maxValueString", "900")
            #expect(try await window.becomes("document.querySelector('#main').innerText.includes('to 900')"))
        }
    }

    @Test("Values that are typed fast, one field after the other, all arrive")
    func fast() async throws {
        try await edit(Self.song + "%2Fattribute%3Atitle") { window, driver in
            _ = try await driver.value("document.getElementById('field-defaultValueString').focus(); return 'done'")
            try await driver.type("None" + Self.tab + "1" + Self.tab + "80" + Self.tab + "[A-Z].*" + Self.tab)
            #expect(try await window.becomes("document.querySelector('tr.selected').innerText.includes('pattern')"))
            let file = try await window.saved()
            expectContains(
                file,
                #"""
                minValueString="1" maxValueString="80" defaultValueString="None" \#
                regularExpressionString="[A-Z].*"
                """#)
        }
    }

    @Test("Uniqueness constraints are lines; a misspelt attribute is named")
    func constraints() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.fill("#field-uniquenessConstraints", "titel")
            let message = try await driver.value(
                "return document.getElementById('field-uniquenessConstraints-message').innerText")
            expectContains(message, "no attribute ‘titel’")
            expectContains(message, "title")
            try await driver.fill("#field-uniquenessConstraints", "title")
            #expect(
                try await window.becomes("!document.querySelector('#field-uniquenessConstraints-message').innerText"))
            #expect(try await window.saved().contains(#"<constraint value="title"/>"#))
        }
    }

    @Test("User info gets entries, key before value")
    func userInfo() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.fill("[data-user-info] [name=key]", "note")
            try await driver.fill("[data-user-info] [name=value]", "a & b")
            #expect(try await window.becomes("document.querySelectorAll('[data-user-info] .pair').length === 2"))
            #expect(try await window.saved().contains(#"<entry key="note" value="a &amp; b"/>"#))
        }
    }

    @Test("An index gets elements, and an expression")
    func index() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.click("button[data-command*='fetchIndex']")
            _ = try await driver.value("return document.querySelector('[data-index]')")
            try await driver.choose(".element:nth-of-type(2) [name=property]", "title")
            #expect(try await window.becomes("document.querySelectorAll('.element').length === 3"))
            try await driver.choose(".element:nth-of-type(3) [name=property]", "()")
            try await driver.fill(".element:nth-of-type(3) [name=expression]", "lowercase:(title)")
            #expect(try await window.becomes("document.querySelectorAll('.element').length === 4"))
            let file = try await window.saved()
            expectContains(file, #"<fetchIndexElement property="title" type="Binary" order="ascending"/>"#)
            expectContains(file, #"<fetchIndexElement expression="lowercase:(title)" expressionType="String""#)
        }
    }

    @Test("A configuration has the entities that are checked")
    func configuration() async throws {
        try await edit { window, driver in
            try await driver.click("button[aria-label='Add configuration']")
            try await driver.click("[data-members] input[value=Song]")
            #expect(try await window.becomes("document.querySelector('[data-members] input[value=Song]').checked"))
            #expect(try await window.saved().contains(#"<memberEntity name="Song"/>"#))
        }
    }

    // MARK: Steps

    @Test("Undo and redo, by button and by key, follow every step")
    func undo() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.fill("#field-name", "Track")
            #expect(try await window.becomes("document.querySelector('#main h1').innerText === 'Track'"))
            let label = try await driver.value("return document.querySelector('[data-command*=undo]').title")
            expectEqual(label, "Undo: Rename Song to Track")
            try await driver.click("[data-command*=undo]")
            #expect(try await window.becomes("document.querySelector('#entities').innerText.includes('Song')"))
            _ = try await driver.value("document.activeElement.blur(); return 'done'")
            try await driver.type("y", holding: EditorWindow.control)
            #expect(try await window.becomes("document.querySelector('#entities').innerText.includes('Track')"))
            try await driver.type("z", holding: EditorWindow.control)
            #expect(try await window.becomes("document.querySelector('#entities').innerText.includes('Song')"))
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
        }
    }

    // MARK: Relationships

    @Test("The dialog adds a relationship and its inverse; a used name is refused in it")
    func relate() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.click("#main button[data-relate]")
            try await driver.fill("dialog [name=name]", "title")
            try await driver.click("dialog button.main")
            let message = try await driver.value("return document.getElementById('relation-message').innerText")
            expectContains(message, "There is already an attribute ‘title’")
            try await driver.fill("dialog [name=name]", "bonusAlbum")
            try await driver.fill("dialog [name=inverse]", "bonusSongs")
            try await driver.click("dialog button.main")
            #expect(try await window.becomes("!document.querySelector('dialog').open"))
            let file = try await window.saved()
            expectContains(file, #"<relationship name="bonusSongs" optional="YES" toMany="YES""#)
            expectContains(file, #"destinationEntity="Album" inverseName="bonusSongs" inverseEntity="Album""#)
        }
    }

    @Test("Escape closes the dialog, and nothing is added")
    func cancel() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.click("#main button[data-relate]")
            #expect(try await window.becomes("document.querySelector('dialog').open"))
            try await driver.type("\u{e00c}")
            #expect(try await window.becomes("!document.querySelector('dialog').open"))
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
        }
    }

    // MARK: The diagram

    @Test("A box is dragged, and its place is in the saved file")
    func drag() async throws {
        try await edit("tab=diagram") { window, driver in
            let before = try await driver.value(
                "return document.querySelector('[data-box=Song]').getAttribute('transform')")
            try await driver.drag("[data-box=Song] .name", byX: 90, y: 60)
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
            let after = try await driver.value(
                "return document.querySelector('[data-box=Song]').getAttribute('transform')")
            #expect(before != after)
            let file = try await window.saved()
            expectContains(file, #"<element name="Album""#)
            expectContains(file, #"<element name="Song""#)
            try await driver.open(window.root + "?tab=diagram")
            #expect(try await window.becomes("document.getElementById('diagram').dataset.inFile === '1'"))
        }
    }

    @Test("Each relationship has a line, which follows a box")
    func lines() async throws {
        try await edit("tab=diagram") { window, driver in
            #expect(try await window.becomes("document.querySelectorAll('#lines path[d]').length === 1"))
            let before = try await driver.value("return document.querySelector('#lines path').getAttribute('d')")
            try await driver.drag("[data-box=Album] .name", byX: 20, y: 200)
            let after = try await driver.value("return document.querySelector('#lines path').getAttribute('d')")
            #expect(before != after)
        }
    }

    @Test("A relationship is drawn between two boxes, and its inverse comes along")
    func draw() async throws {
        try await edit("tab=diagram") { window, driver in
            try await driver.drag("[data-handle=Album]", to: "[data-box=Song] .back")
            #expect(try await window.becomes("document.querySelector('dialog').open"))
            let ends = try await driver.value(
                """
                return document.getElementById('relation-source').innerText
                  + document.querySelector('dialog select').value
                """
            )
            expectEqual(ends, "AlbumSong")
            try await driver.click("dialog button.main")
            #expect(try await window.becomes("document.querySelectorAll('#lines path').length === 2"))
            #expect(try await window.saved().contains(#"inverseName="albums""#))
        }
    }

    @Test("Arrow keys move a box, Enter selects it")
    func keys() async throws {
        try await edit("tab=diagram") { window, driver in
            _ = try await driver.value("document.querySelector('[data-box=Song]').focus(); return 'done'")
            try await driver.type("\u{e014}\u{e015}")
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
            _ = try await driver.value("document.querySelector('[data-box=Song]').focus(); return 'done'")
            try await driver.type(Self.enter)
            #expect(try await window.becomes("document.getElementById('field-name')?.value === 'Song'"))
            #expect(
                try await window.becomes("document.querySelector('[data-box=Song]').classList.contains('selected')"))
        }
    }

    @Test("A click on a row of a box shows the settings of the property")
    func row() async throws {
        try await edit("tab=diagram") { window, driver in
            try await driver.drag("[data-at='entity:Song/attribute:length'] text", byX: 0, y: 0)
            #expect(try await window.becomes("document.getElementById('field-name')?.value === 'length'"))
        }
    }

    // MARK: The text

    @Test("The text is edited, and only what differs changes in the file")
    func text() async throws {
        try await edit("tab=text") { window, driver in
            _ = try await driver.value(
                """
                const text = document.getElementById('text');
                text.value = text.value.replace('length: double', 'seconds: double');
                text.focus();
                return 'done'
                """)
            try await driver.type(Self.enter, holding: EditorWindow.control)
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
            let file = try await window.saved()
            let changes = file.split(separator: "\n").difference(from: MusicSourceModel.contents.split(separator: "\n"))
            expectEqual(changes.insertions.count, 1)
            expectContains(file, #"<attribute name="seconds""#)
        }
    }

    @Test("A mistake in the text has its line, and the text stays")
    func mistake() async throws {
        try await edit("tab=text") { window, driver in
            _ = try await driver.value(
                """
                document.getElementById('text').value = 'entity Song {\\n  title: strin\\n}';
                return 'done'
                """
            )
            try await driver.click("#text-form .main")
            let message = try await driver.value("return document.getElementById('text-message').innerText")
            expectTrue(message.hasPrefix("Line 2, column "))
            #expect(try await window.becomes("document.getElementById('text').value.includes('strin')"))
        }
    }

    @Test("The inspector beside the text changes the text; a text that is being typed is kept")
    func beside() async throws {
        try await edit("tab=text&" + Self.song + "%2Fattribute%3Alength") { window, driver in
            try await driver.fill("#field-name", "duration")
            #expect(try await window.becomes("document.getElementById('text').value.includes('duration: double')"))
            _ = try await driver.value(
                "const t = document.getElementById('text'); t.value += '\\nentity X {\\n}'; return 'done'")
            try await window.editElsewhere(#"{"kind": "add", "path": "", "element": "entity", "name": "Genre"}"#)
            let message = try await driver.value("return document.getElementById('text-message').innerText")
            expectContains(message, "changed meanwhile")
            #expect(try await window.becomes("document.getElementById('text').value.endsWith('entity X {\\n}')"))
        }
    }

    // MARK: Versions and problems

    @Test("A version is added, chosen, changed and compared with the former")
    func versions() async throws {
        try await edit("tab=versions") { window, driver in
            try await driver.click("form[data-add-version] button")
            try await driver.click("button[data-command*='setCurrent']")
            #expect(try await window.becomes("document.querySelector('select[data-version]').value === 'Music 2'"))
            try await window.editElsewhere(#"{"kind": "remove", "path": "entity:Song/attribute:length"}"#)
            let text = try await driver.value(
                """
                return document.querySelector('.differences')?.innerText.includes('Song.length')
                  && document.querySelector('#main').innerText
                """
            )
            expectContains(text, "The mapping can be inferred")
            expectContains(text, "The steps of the migration")
            _ = try await window.saved()
            try expectEqual(window.contents, MusicSourceModel.contents)
            expectTrue(
                FileManager.default.fileExists(
                    atPath: window.folder.path("Music.xcdatamodeld/Music 2.xcdatamodel/contents")))
        }
    }

    @Test("A problem appears at its field, in the list, and leads from its tab to the field")
    func problems() async throws {
        try await edit(Self.song + "%2Frelationship%3Aalbum") { window, driver in
            try await driver.choose("#field-inverseName", "")
            let message = try await driver.value(
                "return document.getElementById('field-inverseName-message').innerText")
            expectContains(message, "should have an inverse")
            #expect(try await window.becomes("document.querySelector('#entities .mark.warning')"))
            try await driver.click("#bar a[href*=problems]")
            try await driver.click("#main tbody a")
            #expect(try await window.becomes("document.getElementById('field-inverseName')"))
        }
    }

    // MARK: Windows and files

    @Test("An edit of another window appears by itself")
    func otherWindow() async throws {
        try await edit(Self.song) { window, _ in
            try await window.editElsewhere(
                #"{"kind": "add", "path": "entity:Song", "element": "attribute", "name": "genre"}"#)
            #expect(try await window.becomes("document.querySelector('#main').innerText.includes('genre')"))
        }
    }

    @Test("A file that changes under unsaved changes asks, and is read again on request")
    func outside() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.fill("#field-name", "Track")
            #expect(try await window.becomes("document.querySelector('#main h1').innerText === 'Track'"))
            let theirs = MusicSourceModel.contents.replacingOccurrences(of: "length", with: "seconds")
            try window.folder.write(theirs, to: "Music.xcdatamodeld/Music.xcdatamodel/contents")
            #expect(try await window.becomes("document.querySelector('#banner').innerText.includes('Another program')"))
            try await driver.type("s", holding: EditorWindow.control)
            #expect(try await window.becomes("document.getElementById('note').innerText.includes('Another program')"))
            try expectEqual(window.contents, theirs)
            try await driver.click("#banner button")
            #expect(try await window.becomes("document.querySelector('#entities').innerText.includes('Song')"))
            #expect(try await window.becomes("!document.querySelector('#banner').innerText"))
        }
    }

    @Test("A window says when the editor has ended")
    func ended() async throws {
        try await edit(Self.song) { window, _ in
            _ = await window.server.interrupt()
            let isSaid = try await window.becomes(
                "document.getElementById('note').innerText.includes('The editor has ended')")
            expectTrue(isSaid)
        }
    }

    @Test("No page is wider than its window, in two widths")
    func widths() async throws {
        try await edit(Self.song) { window, driver in
            for width in [390, 1400] {
                try await driver.show(width: width, height: 844, isDark: width == 390)
                for tab in EditorWindow.tabs {
                    try await driver.open(window.root + "?tab=\(tab)&" + Self.song)
                    let isWide = try await window.becomes("document.documentElement.scrollWidth <= innerWidth")
                    expectTrue(isWide, "\(tab) \(width)")
                }
            }
        }
    }

    @Test(
        "axe finds nothing on any tab, in both colour schemes and two widths",
        .enabled(if: EditorWindow.axe != nil, "axe is not here"))
    func accessibility() async throws {
        let axe = try requireValue(EditorWindow.axe)
        try await EditorWindow.open(["Full.xcdatamodel/contents": FullModel.xml], "Full.xcdatamodel") { window in
            let pages =
                EditorWindow.tabs.map { "tab=\($0)&at=entity%3ABase" }
                + FullModel.paths.sampled(3).map {
                    "at=" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
                }
            for (width, isDark) in [(1400, false), (390, true)] {
                try await window.driver.show(width: width, height: 900, isDark: isDark)
                for page in pages {
                    try await window.driver.open(window.root + "?" + page)
                    _ = try await window.driver.value(
                        """
                        if (!window.axe) { \(axe); axe.run().then(r => { window.found = r.violations; }); }
                        return window.found && 'done'
                        """)
                    let found = try await window.driver.value(
                        "return JSON.stringify(window.found.map(v => [v.id, v.nodes.slice(0, 2).map(n => n.html)]))")
                    expectEqual(found, "[]", "\(page) \(width)")
                }
            }
        }
    }
}

extension EditorWindow {
    static let tabs = ["list", "diagram", "text", "versions", "problems"]

    /// The script of axe-core: `Scripts/test-browser.sh` brings it.
    static let axe = ProcessInfo.processInfo.environment["COREDATA_AXE"].flatMap {
        try? String(contentsOfFile: $0, encoding: .utf8)
    }
}
