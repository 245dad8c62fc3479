import NotesModel
import SwiftUI

/// The editor of a note. Its changes are saved when it goes.
struct NoteView: View {
    @ObservedObject var note: Note
    let list: NotesList

    @State private var topics = ""

    var body: some View {
        Form {
            TextField("Title", text: Binding($note.title, replacingNilWith: ""))
            TextField("Topics", text: $topics)
            TextEditor(text: $note.text).frame(minHeight: 200)
        }
        .onAppear { topics = note.topicNames.joined(separator: ", ") }
        .onDisappear { save() }
    }

    private func save() {
        let names = topics.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        if names.sorted() != note.topicNames { note.topicNames = names }
        guard note.hasChanges else { return }
        note.touch()
        list.save()
    }
}

extension Binding {
    fileprivate init(_ source: Binding<Value?>, replacingNilWith value: Value) {
        self.init(get: { source.wrappedValue ?? value }, set: { source.wrappedValue = $0 })
    }
}
