import CoreDataServer
import Hummingbird
import NotesModel

/// The requests on notes. They do what the app does, by the same code.
struct NoteRoutes: Sendable {
    let database: CoreDataService
    private let bodyLimit = 64 * 1024

    func add(to group: RouterGroup<some RequestContext>) {
        group.get("notes") { request, _ in try await list(request) }
        group.get("notes/:key") { _, context in try await read(key(context)) }
        group.put("notes/:key") { request, context in try await write(request, key(context)) }
    }

    private func list(_ request: Request) async throws -> Response {
        let text = request.uri.queryParameters["search"].map(String.init)
        let records = try await database.perform { context in
            // A client that synchronizes needs the notes in the trash too.
            let request = text.map { Note.listRequest(searchText: $0) } ?? Note.fetchRequest()
            return try context.fetch(request).map(NoteRecord.init)
        }
        return try response(records)
    }

    private func read(_ key: UUID) async throws -> Response {
        guard let record = try await database.perform({ try self.record(key, $0) }) else { throw HTTPError(.notFound) }
        return try response(record)
    }

    private func write(_ request: Request, _ key: UUID) async throws -> Response {
        let body = try await request.body.collect(upTo: bodyLimit)
        guard var record = try? NoteJSON.decode(NoteRecord.self, from: Data(body.readableBytesView)) else {
            throw HTTPError(.badRequest, message: "The body is no note.")
        }
        record.key = key
        let (merge, stored) = try await save(record)
        let status: HTTPResponse.Status =
            switch merge {
            case .inserted: .created
            case .updated, .same: .ok
            case .olderThanStored: .conflict
            }
        return try response(stored, status)
    }

    /// Two requests that make the same note at the same time: the second one finds the note of the first.
    private func save(_ record: NoteRecord) async throws -> (NoteRecord.Merge, NoteRecord?) {
        do {
            return try await database.saveRetryingConflicts { context in
                (try record.merge(into: context), try self.record(record.key, context))
            }
        } catch let error as NSError where SnapshotError(validation: error) != nil {
            throw HTTPError(.unprocessableContent, message: "A value of the note is not allowed.")
        }
    }

    private func record(_ key: UUID, _ context: NSManagedObjectContext) throws -> NoteRecord? {
        let request: NSFetchRequest<Note> = Note.fetchRequest()
        request.predicate = NSPredicate(format: "key == %@", key as CVarArg)
        return try context.fetch(request).first.map(NoteRecord.init)
    }

    private func key(_ context: some RequestContext) throws -> UUID {
        guard let key = context.parameters.get("key").flatMap({ UUID(uuidString: $0) }) else {
            throw HTTPError(.notFound)
        }
        return key
    }

    private func response(_ value: some Encodable, _ status: HTTPResponse.Status = .ok) throws -> Response {
        let body = ByteBuffer(bytes: try NoteJSON.encode(value))
        return Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: body))
    }
}
