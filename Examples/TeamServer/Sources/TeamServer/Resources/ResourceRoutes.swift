import CoreData
import CoreDataServer
import HTTPTypes
import Hummingbird
import NIOCore

/// The requests on a kind of objects.
struct ResourceRoutes: Sendable {
    let resource: Resource
    let database: CoreDataService
    let bodyLimit: Int
    /// The number of attempts for a change that conflicts with other changes. Changes of many tasks conflict in their
    /// assignee.
    private static let attempts = 20

    func add(to group: RouterGroup<TeamContext>) {
        let group = group.group(RouterPath(resource.path))
        group.get { request, context in try await list(request, context) }
        group.post { request, context in try await create(request, context) }
        group.get(":key") { request, context in try await read(request, context) }
        group.patch(":key") { request, context in try await change(request, context) }
        group.delete(":key") { request, context in try await delete(request, context) }
        group.refuseOtherMethods(than: [.get, .post])
        group.refuseOtherMethods(":key", than: [.get, .patch, .delete])
    }

    // MARK: Requests

    private func list(_ request: Request, _ context: TeamContext) async throws -> Response {
        let query: ListQuery
        do {
            let items = request.uri.queryParameters.map { (name: String($0.key), value: String($0.value)) }
            query = try ListQuery(items, resource.fields)
        } catch let problem as ListQuery.Problem {
            throw HTTPError(.badRequest, message: problem.message)
        }
        let (team, resource) = (context.team, resource)
        let page = try await database.perform { context in
            let fetch = NSFetchRequest<NSManagedObject>(entityName: resource.entity)
            fetch.predicate = query.predicate(resource, team)
            let total = try context.count(for: fetch)
            fetch.sortDescriptors = query.sortDescriptors
            fetch.fetchLimit = query.limit
            fetch.fetchOffset = query.offset
            fetch.relationshipKeyPathsForPrefetching = resource.shown.relationshipKeyPaths
            let items = try context.fetch(fetch).map {
                SnapshotValue.object(try resource.shown.snapshot(of: $0).values)
            }
            return ManagedObjectSnapshot(["items": .array(items), "total": .integer(Int64(total))])
        }
        return try page.response()
    }

    private func read(_ request: Request, _ context: TeamContext) async throws -> Response {
        let (key, team, resource) = (try key(context), context.team, resource)
        let snapshot = try await database.perform { context in
            try resource.shown.snapshot(of: try Self.existing(resource, key, team, context))
        }
        // The tag is the version of the object. An answer with values of other objects can change without it.
        if resource.shown.relationshipKeyPaths.isEmpty, let tag = snapshot.entityTag,
            let known = request.headers[.ifNoneMatch].flatMap({ EntityTags($0, allowsWeak: true) }), known.contains(tag)
        {
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        return try snapshot.response()
    }

    private func create(_ request: Request, _ context: TeamContext) async throws -> Response {
        let input = try await body(request)
        let (team, resource) = (context.team, resource)
        let snapshot = try await database.saveRetryingConflicts(attempts: Self.attempts) { context in
            let object = try resource.written.insert(input, into: context) { Resource.belongs($0, to: team) }
            object.setValue(UUID(), forKey: "key")
            object.setValue(team, forKey: "owner")
            try Self.save(context)
            return try resource.shown.snapshot(of: object)
        }
        var response = try snapshot.response(.created)
        if case .string(let key)? = snapshot["key"] { response.headers[.location] = "/\(resource.path)/\(key)" }
        return response
    }

    /// Changes an object whose version the client names. With `If-Match: *` the change is made to any version.
    private func change(_ request: Request, _ context: TeamContext) async throws -> Response {
        let input = try await body(request)
        let (key, team, resource) = (try key(context), context.team, resource)
        guard let tags = try tags(request) else {
            throw HTTPError(.preconditionRequired, message: "Name the version in an If-Match header.")
        }
        // A save may meet a change of another object only, such as the member whose tasks these are: the block then
        // runs again. If the object itself has changed, the second check finds it.
        let snapshot = try await database.saveRetryingConflicts(attempts: Self.attempts) { context in
            let object = try Self.existing(resource, key, team, context)
            try Self.check(tags, object)
            try resource.written.apply(input, to: object) { Resource.belongs($0, to: team) }
            try Self.save(context)
            return try resource.shown.snapshot(of: object)
        }
        return try snapshot.response()
    }

    private func delete(_ request: Request, _ context: TeamContext) async throws -> Response {
        let (key, team, resource, tags) = (try key(context), context.team, resource, try tags(request))
        try await database.saveRetryingConflicts(attempts: Self.attempts) { context in
            let object = try Self.existing(resource, key, team, context)
            if let tags { try Self.check(tags, object) }
            context.delete(object)
        }
        return Response(status: .noContent)
    }

    // MARK: Parts of requests

    private static let missing = "The team has no such object."

    /// An object of another team is missing, like one that doesn't exist.
    private static func existing(
        _ resource: Resource, _ key: UUID, _ team: String, _ context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        guard let object = try resource.object(key, of: team, in: context) else {
            throw HTTPError(.notFound, message: missing)
        }
        return object
    }

    /// The versions that the client names; nil without the header.
    private func tags(_ request: Request) throws -> EntityTags? {
        guard let text = request.headers[.ifMatch] else { return nil }
        guard let tags = EntityTags(text, allowsWeak: false) else {
            throw HTTPError(
                .badRequest,
                message: "If-Match is *, or a list of entity tags such as \"3\". Weak tags name no version.")
        }
        return tags
    }

    private static func check(_ tags: EntityTags, _ object: NSManagedObject) throws {
        guard let version = object.savedVersion, !tags.contains("\"\(version)\"") else { return }
        throw HTTPError(.preconditionFailed, message: "The object has changed: read it again.")
    }

    /// Saves in a block that runs again after conflicts. The values of another object don't go away by that.
    private static func save(_ context: NSManagedObjectContext) throws {
        do {
            try context.save()
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError
        {
            throw HTTPError(.conflict, message: "Another object has these values.")
        }
    }

    private func key(_ context: TeamContext) throws -> UUID {
        guard let key = context.parameters.get("key").flatMap({ UUID(uuidString: $0) }) else {
            throw HTTPError(.notFound, message: Self.missing)
        }
        return key
    }

    private func body(_ request: Request) async throws -> ManagedObjectSnapshot {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bodyLimit {
            throw HTTPError(.contentTooLarge, message: "The body is too large: it has at most \(bodyLimit) bytes.")
        }
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: bodyLimit)
        } catch let error where !(error is NIOTooManyBytesError || error is CancellationError) {
            // A malformed length of a chunk, for instance.
            throw HTTPError(.badRequest, message: "The body can't be read.")
        }
        return try ManagedObjectSnapshot(json: Data(buffer.readableBytesView))
    }
}

extension ManagedObjectSnapshot {
    /// The version as an entity tag.
    var entityTag: String? { if case .integer(let version)? = self["version"] { "\"\(version)\"" } else { nil } }

    func response(_ status: HTTPResponse.Status = .ok) throws -> Response {
        var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
        headers[.eTag] = entityTag
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try json())))
    }
}
