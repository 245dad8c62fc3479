import NotesModel
import SwiftUI

@main
struct TeamNotesApp: App {
    private let persistence = PersistenceController.shared

    var body: some Scene {
        WindowGroup {
            NotesView(list: NotesList(persistence.container.viewContext))
                .environment(\.managedObjectContext, persistence.container.viewContext)
        }
    }
}
