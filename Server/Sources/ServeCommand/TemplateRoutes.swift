// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataServer
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import Hummingbird
import Logging

/// Fetch request templates of the model as JSON, for reading alone: `GET /fetch/byArtist?NAME=Nina+Simone`.
///
/// A user gets the objects of the template that the scopes give it, with attributes that travel. `$USER` is the user,
/// and claims of a JSON Web Token are constants too: no query replaces them.
struct TemplateRoutes: Sendable {
    let container: NSPersistentContainer
    let sync: SyncServer
    /// The names of the templates that are offered.
    let templates: Set<String>
    /// Whether users have parts of the store: objects then show their own attributes alone.
    let hasScopes: Bool
    let logger: Logger
    private let gate = FetchGate(most: 8)

    /// Checks that templates can be offered.
    ///
    /// - Throws: ``ServeError`` for one that can't.
    static func check(_ templates: Set<String>, of model: NSManagedObjectModel, hasWebTokens: Bool) throws {
        for name in templates.sorted() {
            guard let template = model.fetchRequestTemplate(forName: name) else {
                throw ServeError("The model has no fetch request template “\(name)”.")
            }
            guard template.resultType == .managedObjectResultType, template.propertiesToGroupBy?.isEmpty ?? true,
                !template.returnsDistinctResults
            else { throw ServeError("The template “\(name)” finds no objects, but values or IDs of them.") }
            for (variable, type) in model.typesOfVariables(inTemplate: name) {
                guard !TemplateQuery.words.contains(variable) else {
                    throw ServeError("The template “\(name)”: $\(variable) has a name that means something in a query.")
                }
                // Claims of tokens may be constants that are compared with anything.
                guard type != nil || variable == "USER" || hasWebTokens else {
                    throw ServeError(
                        "The template “\(name)”: $\(variable) is compared with no attribute and no count.")
                }
            }
        }
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get(":template") { request, context in
            let name = try context.parameters.require("template")
            guard templates.contains(name) else { throw HTTPError(.notFound) }
            return try await answer(name, request.uri.query ?? "", context.account)
        }
    }

    private func answer(_ name: String, _ query: String, _ account: SyncAccount) async throws -> Response {
        guard gate.enter() else {
            return Response(status: .serviceUnavailable, headers: [.retryAfter: "\(Int.random(in: 1...5))"])
        }
        defer { gate.leave() }
        do {
            let (routes, query) = (self, try TemplateQuery(query))
            let body = try await container.performBackgroundTask { context in
                try routes.json(name, query, account, in: context)
            }
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(data: body)))
        } catch let error as TemplateVariableError {
            throw HTTPError(.badRequest, message: error.description)
        } catch let error as TemplateQueryError {
            throw HTTPError(.badRequest, message: error.text)
        } catch let failure as SyncFailure {
            throw HTTPError(.forbidden, message: failure.text)
        } catch {
            logger.error("A template isn't answered.", metadata: ["template": "\(name)", "error": "\(error.logText)"])
            throw HTTPError(.internalServerError)
        }
    }

    private func json(
        _ name: String, _ query: TemplateQuery, _ account: SyncAccount, in context: NSManagedObjectContext
    ) throws -> Data {
        let model = container.managedObjectModel
        let request = try model.fetchRequestFromTemplate(
            withName: name, texts: query.texts, constants: Self.constants(account))
        guard let request, let entity = request.entityName.flatMap({ model.entitiesByName[$0] }) else {
            throw HTTPError(.notFound)
        }
        let most = request.fetchLimit > 0 ? request.fetchLimit - query.offset : query.limit
        let count = min(max(most, 0), query.limit)
        let first = request.fetchOffset + query.offset
        // Each entity has its own predicate of what the user may have.
        var objects: [NSManagedObject] = []
        var shown: [NSEntityDescription: SnapshotProperties] = [:]
        for entity in request.includesSubentities ? entity.withSubentities : [entity] {
            shown[entity] = try properties(query.keys, of: entity)
            guard count > 0 else { continue }
            let fetch = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            let visible = try sync.predicate(for: account, of: entity)
            fetch.predicate = NSCompoundPredicate(
                andPredicateWithSubpredicates: [request.predicate, visible].compactMap(\.self))
            fetch.sortDescriptors = request.sortDescriptors
            fetch.includesSubentities = false
            fetch.fetchLimit = first + count
            objects += try context.fetch(fetch)
        }
        return try Self.json(sorted(objects, request.sortDescriptors).dropFirst(first).prefix(count), shown)
    }

    /// The objects of all entities in their order. Those of one entity have it already.
    private func sorted(_ objects: [NSManagedObject], _ descriptors: [NSSortDescriptor]?) -> [NSManagedObject] {
        guard let descriptors, Set(objects.map(\.entity)).count > 1 else { return objects }
        return objects.enumerated().sorted { one, other in
            for descriptor in descriptors {
                let order = descriptor.compare(one.element, to: other.element)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return one.offset < other.offset
        }.map(\.element)
    }

    /// The most bytes of an answer.
    private static let mostBytes = 16 << 20

    private static func json(
        _ objects: some Sequence<NSManagedObject>, _ properties: [NSEntityDescription: SnapshotProperties]
    ) throws -> Data {
        var body = Data("[".utf8)
        for object in objects {
            guard let shown = properties[object.entity] else { continue }
            if body.count > 1 { body.append(contentsOf: Data(",".utf8)) }
            body.append(try shown.snapshot(of: object).json())
            guard body.count < mostBytes else {
                throw TemplateQueryError("The answer has more than 16 MB: ask for fewer objects by limit, or keys.")
            }
        }
        body.append(contentsOf: Data("]".utf8))
        return body
    }

    private static func constants(_ account: SyncAccount) -> [String: [Any]] {
        account.constants.mapValues { values in
            values.compactMap { value in
                switch value {
                case .text(let text): text
                case .uuid(let uuid): uuid
                case .integer(let number): NSNumber(value: number)
                default: nil
                }
            }
        }
    }

    /// The properties of a query, or all attributes that JSON shows in a few bytes.
    private func properties(_ keys: [String]?, of entity: NSEntityDescription) throws -> SnapshotProperties {
        let names = try keys?.filter { try isShown($0, entity) } ?? shown(entity).sorted()
        do {
            return try SnapshotProperties(names, of: entity)
        } catch {
            throw TemplateQueryError(error.localizedDescription)
        }
    }

    private func shown(_ entity: NSEntityDescription) -> [String] {
        sync.attributes(of: entity).filter { name in
            let type = entity.attributesByName[name]?.attributeType
            return ![.transformableAttributeType, .undefinedAttributeType, .binaryDataAttributeType].contains(type)
        }
    }

    /// Whether objects of an entity have a key of a query.
    ///
    /// - Throws: ``TemplateQueryError`` for a key that isn't shown.
    private func isShown(_ path: String, _ entity: NSEntityDescription) throws -> Bool {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var owner: NSEntityDescription? = entity
        for key in keys.dropLast() {
            let relationship = owner?.relationshipsByName[key]
            guard !hasScopes, keys.count <= 3, relationship.map({ !$0.isToMany }) ?? false else {
                throw TemplateQueryError(
                    "“\(path.prefix(100))”: keys are attributes of the objects"
                        + (hasScopes ? "." : ", or of objects behind one or two to-one relationships."))
            }
            owner = relationship?.destinationEntity
        }
        guard let owner, let last = keys.last, shown(owner).contains(last) else {
            throw TemplateQueryError("“\(path.prefix(100))” is no attribute that is shown.")
        }
        return true
    }
}

extension NSEntityDescription {
    /// The entity and all below it.
    fileprivate var withSubentities: [NSEntityDescription] { [self] + subentities.flatMap(\.withSubentities) }
}

/// A mistake in the query of a request, as a sentence.
struct TemplateQueryError: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The parts of a query.
struct TemplateQuery: Sendable {
    /// The words that aren't variables.
    static let words: Set<String> = ["keys", "limit", "offset"]
    private static let most = 1000

    private(set) var texts: [String: String] = [:]
    private(set) var keys: [String]?
    private(set) var limit = most
    private(set) var offset = 0

    /// - Parameter query: the part of a URL behind the question mark.
    /// - Throws: ``TemplateQueryError``
    init(_ query: String) throws {
        // A form writes a plus sign for a space.
        let text = "?" + query.replacingOccurrences(of: "+", with: "%20")
        if query.isEmpty { return }
        guard let items = URLComponents(string: text)?.percentEncodedQueryItems else {
            throw TemplateQueryError("The query can't be read.")
        }
        var seen: Set<String> = []
        for item in items {
            guard let name = item.name.removingPercentEncoding, let value = (item.value ?? "").removingPercentEncoding
            else { throw TemplateQueryError("The query isn't in UTF-8.") }
            guard seen.insert(name).inserted else {
                throw TemplateQueryError("“\(name.prefix(100))” stands twice in the query.")
            }
            switch name {
            case "keys":
                let names = value.split(separator: ",").map(String.init)
                guard names.count <= 100 else { throw TemplateQueryError("The query has more than 100 keys.") }
                keys = names
            case "limit": limit = try Self.number(name, value, 1...Self.most)
            case "offset": offset = try Self.number(name, value, 0...100_000)
            default: texts[name] = value
            }
        }
    }

    private static func number(_ name: String, _ value: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw TemplateQueryError("“\(name)” is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}

/// Counts the fetches that run. More than a few would take the threads that the devices' requests need.
private final class FetchGate: @unchecked Sendable {
    // Sendable: the lock guards the number.
    private let lock = NSLock()
    private let most: Int
    private var number = 0

    init(most: Int) { self.most = most }

    func enter() -> Bool {
        lock.withLock {
            guard number < most else { return false }
            number += 1
            return true
        }
    }

    func leave() { lock.withLock { number -= 1 } }
}
