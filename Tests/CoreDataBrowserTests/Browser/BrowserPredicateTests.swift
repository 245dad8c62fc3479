import CoreData
import Testing

@testable import CoreDataCommand

@Suite("coredata store browse: help with predicates")
struct BrowserPredicateTests {
    @Test(
        "A table has examples for the properties of its entity, and each of them filters", arguments: ["Car", "Person"])
    func examples(entity: String) throws {
        let session = try BrowserSession()
        let page = try session.text("/e/\(entity)?sort=\(entity == "Car" ? "maker" : "firstName")")
        let panel = try requireValue(BrowserSession.text(in: page, from: "Examples of predicates", to: "</details>"))
        let links = BrowserSession.links(in: panel)
        #expect(links.count > 4)
        for link in links {
            expectContains(link, "sort=")
            expectEqual(session.get(link).status, 200, "\(link)")
        }
    }

    @Test("Examples compare attributes, and objects at the other end of relationships")
    func exampleTexts() throws {
        let session = try BrowserSession()
        let texts = try session.browser.store.read { reader in
            try PredicateExamples(
                entity: reader.entity(named: "Person"), now: Date(timeIntervalSinceReferenceDate: 604_800)
            ).all.map(\.text)
        }
        expectContains(texts, "firstName BEGINSWITH[cd] \"a\"")
        expectContains(texts, "updatedAt >= \"2001-01-01\"")
        expectContains(texts, "cars.@count > 10")
        expectContains(texts, "ANY cars.numberPlate CONTAINS[cd] \"the\"")
    }

    @Test("The values of many objects compared as one are a message with the remedy", arguments: ["e", "check"])
    func toMany(page: String) throws {
        let text = try BrowserSession().text("/\(page)/Person?p=\(PercentEncoding.encoded("cars.maker == 'Alfa'"))")
        expectContains(text, "leads to many objects. Write")
        expectContains(text, "ANY cars.maker ==")
    }

    /// Predicates with dates as texts, the entity, and how many objects they find.
    static let dates = [
        ("updatedAt >= \"2001-01-01\"", "Person", "2"), ("updatedAt > \"2001-01-01T00:00:00Z\"", "Person", "0"),
        ("\"2001-01-02\" > updatedAt AND firstName == 'Ada'", "Person", "1"),
        ("updatedAt BETWEEN {\"2000-12-31\", \"2001-01-02T12:30:00Z\"}", "Person", "2"),
        ("NOT (owner.updatedAt < \"2000-01-01\") AND owner != nil", "Car", "3"),
    ]

    @Test("A text that is compared with a date is read as a day or a time in UTC", arguments: dates)
    func dateConstants(predicate: String, entity: String, count: String) async throws {
        let session = try BrowserSession()
        let encoded = PercentEncoding.encoded(predicate)
        try expectEqual(session.text("/count/\(entity)?p=\(encoded)"), count)
        try expectEqual(session.text("/check/\(entity)?p=\(encoded)"), "{\"message\":\"\"}")
        let run = try await CommandRun(
            "store", "fetch", session.path, "--entity", entity, "--predicate", predicate)
        expectEqual(run.lines.last?.hasPrefix("\(count) object"), true)
    }

    @Test("A text that is no date, compared with a date, is a message")
    func noDate() throws {
        let session = try BrowserSession()
        let target = "Person?p=\(PercentEncoding.encoded("updatedAt > 'yesterday'"))"
        expectEqual(session.get("/e/\(target)").status, 400)
        expectContains(try session.text("/check/\(target)"), "is a date")
    }
}
