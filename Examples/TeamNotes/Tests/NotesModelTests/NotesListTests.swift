import CoreData
import NotesModel
import Testing

@Suite("The list of notes")
struct NotesListTests {
    private let list = NotesList(PersistenceController(inMemory: true).container.viewContext)

    @Test("Pinned notes come first, then the newest")
    func order() {
        let first = list.add(title: "First")
        list.add(title: "Second").changed = Date(timeIntervalSinceNow: 60)
        list.save()
        #expect(list.notes.map(\.title) == ["Second", "First"])
        list.togglePin(first)
        #expect(list.notes.map(\.title) == ["First", "Second"])
    }

    @Test("A search finds titles, texts and topics")
    func search() {
        list.add(title: "Résumé")
        list.add(title: "Shopping", topics: ["home"]).text = "Milk"
        list.save()
        for (text, titles) in [("resume", ["Résumé"]), ("milk", ["Shopping"]), ("HOME", ["Shopping"]), ("x", [])] {
            list.searchText = text
            #expect(list.notes.map(\.title) == titles)
        }
    }

    @Test("A note in the trash leaves the list, and is still there")
    func trash() throws {
        let note = list.add(title: "Old")
        list.moveToTrash(note)
        #expect(list.notes.isEmpty)
        #expect(try note.managedObjectContext?.count(for: Note.fetchRequest()) == 1)
    }

    @Test("A note without a title is not saved, and the message says why")
    func untitled() {
        list.add(title: "")
        #expect(list.errorMessage != nil)
        #expect(list.notes.isEmpty)
        list.add(title: "Now")
        #expect(list.errorMessage == nil)
    }

    @Test("Notes share a topic of one name")
    func topics() throws {
        let one = list.add(title: "One", topics: ["Work", " home "])
        let other = list.add(title: "Other", topics: ["work"])
        #expect(one.topicNames == ["home", "work"])
        #expect(try one.managedObjectContext?.count(for: Topic.fetchRequest()) == 2)
        #expect((one.topics as? Set<Topic>)?.isSuperset(of: try #require(other.topics as? Set<Topic>)) == true)
    }
}
