import CoreData
import Testing

/// Fields, forms and keys.
extension ChromiumSuites.EditorChromiumTests {
    private static let escape = "\u{e00c}"
    private static let length = song + "%2Fattribute%3Alength"

    // MARK: Renaming

    @Test("A tick behind a rename sets the renaming ID to the name before, which a migration needs")
    func keepsValuesAfterwards() async throws {
        try await edit(Self.length) { window, driver in
            try await driver.fill("#field-name", "seconds")
            #expect(try await window.becomes("document.querySelector('tr.selected')?.innerText.startsWith('seconds')"))
            try await driver.click("[data-keeps]")
            #expect(try await window.becomes("document.getElementById('field-elementID')?.value === 'length'"))
            #expect(try await window.becomes("document.activeElement.id === 'field-elementID'"))
            #expect(try await window.saved().contains(#"<attribute name="seconds" "#))
            expectContains(try window.contents, #"elementID="length""#)
        }
    }

    @Test("A tick before a rename goes with it, in one step")
    func keepsValuesBefore() async throws {
        try await edit(Self.length) { window, driver in
            try await driver.click("[data-keeps]")
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
            try await driver.fill("#field-name", "seconds")
            #expect(try await window.becomes("document.getElementById('field-elementID')?.value === 'length'"))
            try await driver.click("[data-command*=undo]")
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
            #expect(try await window.becomes("document.querySelector('#main').innerText.includes('length')"))
        }
    }

    // MARK: Keys in fields

    @Test("Enter sets a field, Escape brings its value back, and undo in a field that is typed leaves the model alone")
    func fieldKeys() async throws {
        try await edit(Self.length) { window, driver in
            let focus = "const field = document.getElementById('field-minValueString'); field.focus(); field.select();"
            _ = try await driver.value(focus + " return 'done'")
            try await driver.type("5" + Self.enter)
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
            _ = try await driver.value(focus + " return 'done'")
            try await driver.type("7")
            try await driver.type("z", holding: EditorWindow.control)
            try await driver.type("8" + Self.escape)
            #expect(try await window.becomes("document.getElementById('field-minValueString').value === '5'"))
            #expect(try await window.saved().contains(#"minValueString="5""#))
        }
    }

    @Test("A check box that is ticked off and on again leaves the file as it was")
    func checkBox() async throws {
        try await edit(Self.song) { window, driver in
            let box = "td input[data-set*='attribute:title']"
            for isChecked in [false, true] {
                try await driver.click(box)
                #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
                #expect(try await window.becomes("document.querySelector(\"\(box)\").checked === \(isChecked)"))
            }
            try await expectEqual(window.saved(), MusicSourceModel.contents)
        }
    }

    // MARK: Lists and forms

    @Test("A filter that no entity has says so")
    func noMatch() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.type("/")
            try await driver.type("xyz")
            #expect(try await window.becomes("!document.getElementById('no-match').hidden"))
            try await driver.type("\u{e003}\u{e003}\u{e003}")
            #expect(try await window.becomes("document.getElementById('no-match').hidden"))
            #expect(try await window.becomes("document.querySelectorAll('#entities li:not([hidden])').length === 2"))
        }
    }

    @Test("An attribute with a used name is refused in its form, which keeps the name")
    func usedName() async throws {
        try await edit(Self.song) { window, driver in
            _ = try await driver.value("document.querySelector('form[data-add] input').focus(); return 'done'")
            try await driver.type("title" + Self.enter)
            let message = try await driver.value("return document.querySelector('form[data-add] .message').innerText")
            expectContains(message, "There is already an attribute ‘title’")
            #expect(try await window.becomes("document.querySelector('form[data-add] input').value === 'title'"))
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
        }
    }

    @Test("A value of the user info without its key waits for it, and a key that is there twice is refused beside it")
    func userInfoKeys() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.fill("[data-user-info] [name=value]", "one")
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
            try await driver.fill("[data-user-info] [name=key]", "note")
            #expect(try await window.becomes("document.querySelectorAll('[data-user-info] .pair').length === 2"))
            try await driver.fill("[data-user-info] .pair:nth-of-type(2) [name=key]", "note")
            let message = try await driver.value("return document.querySelector('[data-user-info] .message').innerText")
            expectEqual(message, "The key ‘note’ is there twice.")
        }
    }

    @Test("A relationship without an inverse is added by the dialog; its button Cancel adds nothing")
    func oneWay() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.click("#main button[data-relate]")
            try await driver.click("dialog button[value=cancel]")
            #expect(try await window.becomes("!document.querySelector('dialog').open"))
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
            try await driver.click("#main button[data-relate]")
            try await driver.fill("dialog [name=name]", "first")
            try await driver.click("dialog [name=noInverse]")
            try await driver.click("dialog button.main")
            #expect(try await window.becomes("!document.querySelector('dialog').open"))
            let file = try await window.saved()
            expectContains(file, #"<relationship name="first" optional="YES" maxCount="1""#)
            #expect(!file.contains(#"inverseName="first""#))
        }
    }

    // MARK: The text

    @Test("The lines of a text that is typed have numbers, and Reset brings the text of the model back")
    func resetText() async throws {
        try await edit("tab=text") { window, driver in
            let count = "document.getElementById('text-lines').textContent.trim().split('\\n').length"
            let before = try await driver.value("return \(count)")
            _ = try await driver.value(
                """
                const text = document.getElementById('text');
                text.focus();
                text.setSelectionRange(text.value.length, text.value.length);
                return 'done'
                """)
            try await driver.type("x" + Self.enter + "y")
            #expect(try await window.becomes("\(count) > \(before)"))
            try await driver.click("#text-form button[type=reset]")
            #expect(try await window.becomes("String(\(count)) === '\(before)'"))
            try await driver.click("#text-form .main")
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Saved'"))
        }
    }

    // MARK: Versions, the diagram, narrow windows

    @Test("A version is chosen at the top, and compared with a chosen one")
    func chosenVersions() async throws {
        try await edit("tab=versions") { window, driver in
            for name in ["Music 2", "Music 3"] {
                try await driver.click("form[data-add-version] button")
                #expect(try await window.becomes("document.querySelector('#main').innerText.includes('\(name)')"))
            }
            try await driver.choose("select[data-version]", "Music 3")
            #expect(try await window.becomes("decodeURIComponent(location.search).includes('version=Music 3')"))
            #expect(try await window.becomes("document.querySelector('select[data-with]').value === 'Music 2'"))
            try await driver.choose("select[data-with]", "Music")
            #expect(try await window.becomes("decodeURIComponent(location.search).includes('with=Music')"))
            #expect(try await window.becomes("document.querySelector('select[data-with]').value === 'Music'"))
        }
    }

    @Test("The zoom makes the diagram smaller, and stays after an edit")
    func zoom() async throws {
        try await edit("tab=diagram") { window, driver in
            let width =
                "document.getElementById('diagram').getAttribute('width') / document.getElementById('diagram')"
                + ".viewBox.baseVal.width"
            #expect(try await window.becomes("\(width) === 1"))
            _ = try await driver.value(
                """
                const slider = document.getElementById('zoom');
                slider.value = '50';
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                return 'done'
                """)
            #expect(try await window.becomes("\(width) === 0.5"))
            try await window.editElsewhere(#"{"kind": "add", "path": "", "element": "entity", "name": "Genre"}"#)
            #expect(try await window.becomes("document.querySelector('[data-box=Genre]')"))
            #expect(try await window.becomes("\(width) === 0.5 && document.getElementById('zoom').value === '50'"))
        }
    }

    @Test("In a diagram whose places are in the file a move changes one place")
    func secondDrag() async throws {
        try await edit("tab=diagram") { window, driver in
            try await driver.drag("[data-box=Song] .name", byX: 90, y: 60)
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
            let before = try await window.saved().split(separator: "\n")
            #expect(try await window.becomes("document.getElementById('diagram').dataset.inFile === '1'"))
            try await driver.drag("[data-box=Album] .name", byX: 30, y: 30)
            #expect(try await window.becomes("document.querySelector('.state').innerText === 'Unsaved changes'"))
            let changes = try await window.saved().split(separator: "\n").difference(from: before)
            expectEqual(changes.insertions.count, 1)
        }
    }

    @Test("In a narrow window a click on a property brings its settings into view")
    func narrow() async throws {
        try await edit(Self.song) { window, driver in
            try await driver.show(width: 390, height: 600, isDark: false)
            try await driver.click("#main tr a[href*='attribute%3Atitle']")
            #expect(try await window.becomes("document.querySelector('tr.selected')?.innerText.startsWith('title')"))
            #expect(
                try await window.becomes(
                    "document.getElementById('inspector').getBoundingClientRect().top < innerHeight"))
        }
    }

    // MARK: Answers that cross

    @Test("An edit that the window hears of before its own answer leaves what the answer selects")
    func crossing() async throws {
        try await edit(Self.song) { window, driver in
            // The answer to an edit waits for the next one about the state, which is read first.
            _ = try await driver.value(
                """
                const real = window.fetch;
                let go;
                window.stateCount = 0;
                window.fetch = async (address, options) => {
                  const answer = await real(address, options);
                  if (address === '/edit') await new Promise(resolve => { go = resolve; });
                  if (address !== '/state') return answer;
                  const state = await answer.json();
                  window.stateCount += 1;
                  setTimeout(() => go?.());
                  return { json: async () => state };
                };
                document.querySelector('form[data-add] input').focus();
                return 'done'
                """)
            try await driver.type("genre" + Self.enter)
            #expect(try await window.becomes("document.querySelector('#main').innerText.includes('genre')"))
            _ = try await driver.value("window.stateCount = 0; return 'done'")
            #expect(try await window.becomes("window.stateCount === 2"))
            #expect(try await window.becomes("document.querySelector('tr.selected')?.innerText.startsWith('genre')"))
            #expect(try await window.becomes("location.search.includes('genre')"))
        }
    }

    @Test("A value that is being typed is no step until it is done, whatever arrives meanwhile")
    func halfTyped() async throws {
        try await edit(Self.length) { window, driver in
            _ = try await driver.value("document.getElementById('field-minValueString').focus(); return 'done'")
            try await driver.type("7")
            try await window.editElsewhere(#"{"kind": "add", "path": "", "element": "entity", "name": "Genre"}"#)
            #expect(try await window.becomes("document.querySelector('#entities').innerText.includes('Genre')"))
            #expect(try await window.becomes("document.activeElement.value === '7'"))
            let label = try await driver.value("return document.querySelector('[data-command*=undo]').title")
            expectContains(label, "Genre")
            try await driver.type("5" + Self.enter)
            #expect(try await window.becomes("document.querySelector('[data-command*=undo]').title !== '\(label)'"))
            #expect(try await window.saved().contains(#"minValueString="75""#))
        }
    }
}
