import NotesModel
import SwiftUI

/// The list of notes, by the view model of the model layer.
struct NotesView: View {
    @State var list: NotesList
    @State private var isSynchronizing = false
    @State private var syncMessage: String?
    @AppStorage("server") private var server = "http://localhost:8080"
    @AppStorage("token") private var token = ""

    var body: some View {
        NavigationStack {
            List(list.notes) { note in
                NavigationLink(value: note) { NoteRow(note: note) }
                    .swipeActions(edge: .leading) {
                        Button(note.isPinned ? "Unpin" : "Pin", systemImage: "pin") { list.togglePin(note) }
                    }
                    .swipeActions {
                        Button("Delete", systemImage: "trash", role: .destructive) { list.moveToTrash(note) }
                    }
            }
            .overlay {
                if list.notes.isEmpty { ContentUnavailableView("No Notes", systemImage: "note.text") }
            }
            .searchable(text: $list.searchText)
            .navigationTitle("Notes")
            .navigationDestination(for: Note.self) { NoteView(note: $0, list: list) }
            .toolbar {
                Button("New Note", systemImage: "square.and.pencil") { list.add(title: "New note") }
                Button("Synchronize", systemImage: "arrow.triangle.2.circlepath") { Task { await synchronize() } }
                    .disabled(isSynchronizing || token.isEmpty)
                NavigationLink {
                    TopicsView()
                } label: {
                    Label("Topics", systemImage: "tag")
                }
            }
            .alert(list.errorMessage ?? syncMessage ?? "", isPresented: hasMessage) {}
        }
    }

    private var hasMessage: Binding<Bool> {
        Binding(get: { list.errorMessage != nil || syncMessage != nil }, set: { if !$0 { syncMessage = nil } })
    }

    private func synchronize() async {
        guard let url = URL(string: server) else { return }
        isSynchronizing = true
        defer { isSynchronizing = false }
        do {
            try await NotesClient(server: url, token: token).synchronize(PersistenceController.shared.container)
        } catch {
            syncMessage = error.localizedDescription
        }
    }
}

private struct NoteRow: View {
    @ObservedObject var note: Note

    var body: some View {
        VStack(alignment: .leading) {
            Label(note.title ?? "", systemImage: note.isPinned ? "pin.fill" : "note.text")
            Text(note.changed, style: .relative).font(.caption).foregroundStyle(.secondary)
        }
    }
}

#Preview {
    NotesView(list: NotesList(PersistenceController(inMemory: true).container.viewContext))
}
