import NotesModel
import SwiftUI

@main
struct TeamNotesApp: App {
    private let persistence = PersistenceController.shared
    private let sync: NotesSync?

    init() {
        let defaults = UserDefaults.standard
        let server = defaults.string(forKey: "server").flatMap(URL.init) ?? URL(string: "http://localhost:8080")
        sync =
            if let server, let token = defaults.string(forKey: "token") {
                try? NotesSync(persistence.container, server: server, token: token)
            } else {
                nil
            }
    }

    var body: some Scene {
        WindowGroup {
            NotesView(list: NotesList(persistence.container.viewContext), sync: sync)
                .environment(\.managedObjectContext, persistence.container.viewContext)
        }
    }
}
