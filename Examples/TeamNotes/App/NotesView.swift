import CoreDataSync
import NotesModel
import SwiftUI

/// The list of notes, by the view model of the model layer.
struct NotesView: View {
    @State var list: NotesList
    let sync: NotesSync?

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
                if let sync { SyncLabel(sync: sync) }
                NavigationLink {
                    TopicsView()
                } label: {
                    Label("Topics", systemImage: "tag")
                }
            }
            .refreshable { await sync?.refresh() }
            .task { await sync?.run() }
            .alert(errorMessage ?? "", isPresented: .constant(errorMessage != nil)) {}
        }
    }
}

extension NotesView {
    private var errorMessage: String? { list.errorMessage ?? sync?.errorMessage }
}

/// How far the sync is: a number of changes that wait, or a sign.
private struct SyncLabel: View {
    let sync: NotesSync

    var body: some View {
        if !sync.problems.isEmpty {
            NavigationLink {
                ProblemsView(sync: sync)
            } label: {
                Label("\(sync.problems.count)", systemImage: "exclamationmark.icloud")
            }
        } else if sync.status.pendingCount > 0 {
            Label("\(sync.status.pendingCount)", systemImage: "icloud.and.arrow.up")
        } else {
            Label("Synced", systemImage: sync.status.isConnected ? "checkmark.icloud" : "icloud.slash")
        }
    }
}

/// The changes that the server has refused, with the reasons.
private struct ProblemsView: View {
    let sync: NotesSync

    var body: some View {
        List(sync.problems) { problem in
            VStack(alignment: .leading) {
                Text(problem.value(forKey: "title") as? String ?? problem.entityName)
                Text(problem.reason).font(.caption).foregroundStyle(.secondary)
            }
            .swipeActions { Button("Drop", role: .destructive) { Task { await sync.drop(problem) } } }
        }
        .navigationTitle("Refused")
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
    NotesView(list: NotesList(PersistenceController(inMemory: true).container.viewContext), sync: nil)
}
