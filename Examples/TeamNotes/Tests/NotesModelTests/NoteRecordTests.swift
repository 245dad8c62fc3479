import CoreData
import NotesModel
import Testing

@Suite("Records of notes")
struct NoteRecordTests {
    private let context = PersistenceController(inMemory: true).container.viewContext

    @Test("A record survives its way through JSON")
    func json() throws {
        var record = NoteRecord(title: "Résumé", changed: Date(timeIntervalSince1970: 1_764_000_000.125))
        record.topics = ["work"]
        #expect(try NoteJSON.decode(NoteRecord.self, from: NoteJSON.encode(record)) == record)
    }

    @Test("A title and a date are enough, and a record without them is refused")
    func lackingKeys() throws {
        let record = try NoteJSON.decode(NoteRecord.self, from: Data(#"{"title":"Milk","changed":1000}"#.utf8))
        #expect(record.title == "Milk" && record.changed == Date(timeIntervalSince1970: 1) && record.topics.isEmpty)
        #expect(throws: DecodingError.self) {
            try NoteJSON.decode(NoteRecord.self, from: Data(#"{"title":"Milk"}"#.utf8))
        }
    }

    @Test("A record with a date too far away is refused", arguments: ["1e300", "-1e300", "1e15", "-1"])
    func distantDate(_ changed: String) throws {
        #expect(throws: DecodingError.self) {
            try NoteJSON.decode(NoteRecord.self, from: Data("{\"title\":\"x\",\"changed\":\(changed)}".utf8))
        }
    }

    @Test("Of two versions the newer one wins, whichever comes first")
    func newerWins() throws {
        let old = NoteRecord(title: "Old", changed: Date(timeIntervalSince1970: 1))
        var new = old
        (new.title, new.changed, new.topics) = ("New", Date(timeIntervalSince1970: 2), ["work"])
        #expect(try old.merge(into: context) == .inserted)
        #expect(try new.merge(into: context) == .updated)
        #expect(try old.merge(into: context) == .olderThanStored)
        #expect(try new.merge(into: context) == .same)
        try context.save()
        #expect(try context.fetch(Note.fetchRequest()).map(NoteRecord.init) == [new])
    }
}
