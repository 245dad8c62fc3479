import CoreData

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Brings the notes of this device and of the server together.
public struct NotesClient: Sendable {
    public struct Refused: Error {
        public let status: Int
    }

    public let server: URL
    private let token: String

    public init(server: URL, token: String) { (self.server, self.token) = (server, token) }

    /// Sends what was changed here, then gets all notes of the server.
    ///
    /// - Returns: how many notes were sent, and how many came.
    @discardableResult
    public func synchronize(_ container: NSPersistentContainer) async throws -> (sent: Int, received: Int) {
        let context = container.newBackgroundContext()
        let changed = try await context.perform {
            let request: NSFetchRequest<Note> = Note.fetchRequest()
            request.predicate = NSPredicate(format: "needsUpload == YES")
            return try context.fetch(request).map(NoteRecord.init)
        }
        for record in changed {
            // 409: the server has a newer version, which comes below.
            let (_, status) = try await send("PUT", "notes/\(record.key)", NoteJSON.encode(record))
            guard [200, 201, 409].contains(status) else { throw Refused(status: status) }
        }
        let (data, status) = try await send("GET", "notes")
        guard status == 200 else { throw Refused(status: status) }
        let records = try NoteJSON.decode([NoteRecord].self, from: data)
        let received = try await context.perform {
            for record in changed { try Self.markAsSent(record, in: context) }
            let merges = try records.map { try $0.merge(into: context) }
            try context.save()
            return merges.filter { [.inserted, .updated].contains($0) }.count
        }
        return (changed.count, received)
    }

    /// A note that was changed again while it was sent is sent again the next time.
    private static func markAsSent(_ record: NoteRecord, in context: NSManagedObjectContext) throws {
        let request: NSFetchRequest<Note> = Note.fetchRequest()
        request.predicate = NSPredicate(
            format: "key == %@ AND changed == %@", record.key as CVarArg, record.changed as NSDate)
        for note in try context.fetch(request) { note.needsUpload = false }
    }

    private func send(_ method: String, _ path: String, _ body: Data? = nil) async throws -> (Data, Int) {
        var request = URLRequest(url: server.appendingPathComponent(path))
        request.httpMethod = method
        request.httpBody = body
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await URLSession.shared.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
