import CoreData
import SyncTestSupport
import Testing

extension ChromiumSuites.ChromiumTests {
    @Test("The page about sync follows the side store, and a table what an engine imports")
    func sync() async throws {
        let server = try NotesServer()
        let device = try await NotesDevice(server, "Notes")
        server.connection = .isCut
        try await device.save { $0.insertNote("Milk") }
        try await device.failToSync()
        let browser = try await BrowserProcess(device.path)
        let driver = try await WebDriver()
        let root = String(browser.url.prefix { $0 != "?" })
        try await driver.open(browser.url)
        try await driver.open(root + "sync")
        let pending = try await driver.value(
            "const text = document.body.innerText; return text.includes('insertion of Note p1: Milk') && text")
        expectContains(pending, "changes of 1 object")
        server.connection = .works
        try await device.sync()
        let sent = try await driver.value(
            "const text = document.body.innerText; return !text.includes('Milk') && text")
        expectContains(sent, "The server has all")
        try await driver.open(root + "e/Note")
        let other = try await NotesDevice(server, "Other")
        try await other.save { $0.insertNote("of others") }
        try await other.sync()
        try await device.sync()
        let table = try await driver.value(
            "const text = document.body.innerText; return text.includes('of others') && text")
        expectContains(table, "Milk")
        await driver.end()
    }

    @Test("A page that a change leaves as it is keeps its focus")
    func focusStays() async throws {
        let server = try NotesServer()
        let device = try await NotesDevice(server, "Notes")
        try await device.save {
            $0.insertNote("Milk", folder: $0.insertFolder("Shopping"))
            $0.insertNote("Salt")
        }
        try await device.sync()
        let browser = try await BrowserProcess(device.path)
        let driver = try await WebDriver()
        let root = String(browser.url.prefix { $0 != "?" })
        try await driver.open(browser.url)
        try await driver.open(root + "o/Note/p1")
        _ = try await driver.value("document.querySelector('main a').focus(); return 'done'")
        let mark = try await driver.value("return document.body.dataset.mark")
        try await device.save { try $0.note("Salt").setValue(1, forKey: "rank") }
        try await device.sync()
        let focus = try await driver.value(
            "return document.body.dataset.mark !== '\(mark)' && document.activeElement.tagName")
        expectEqual(focus, "A")
        await driver.end()
    }
}
