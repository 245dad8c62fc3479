// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import OpenCoreData

/// How many objects and values of a store a migration would delete.
struct LossReport: Sendable {
    struct Entry: Encodable, Sendable {
        enum Kind: String, Encodable, Sendable {
            case objects, values, links
        }

        let entity: String
        /// Nil for objects.
        let property: String?
        let kind: Kind
        let count: Int

        var text: String {
            let noun =
                switch kind {
                case .objects: "object"
                case .values: "value"
                case .links: "link"
                }
            return "\(entity)\(property.map { ".\($0)" } ?? ""): \(Wording.count(count, noun))"
        }
    }

    /// Counts for entities and properties that have values in the store.
    let entries: [Entry]
    /// Whether the new model has no entity of the store, though the store has objects.
    let isWhole: Bool

    /// The report of a migration that deletes nothing.
    static let none = LossReport(entries: [], isWhole: false)

    private init(entries: [Entry], isWhole: Bool) {
        self.entries = entries
        self.isWhole = isWhole
    }

    /// - Parameters:
    ///   - route: the way of the migration.
    ///   - url: the URL of the store, which has the version at the beginning of the route.
    init(of route: MigrationRoute, at url: URL) throws {
        guard let source = route.steps.first?.source else {
            self = .none
            return
        }
        let store = try ReadOnlyStore(url: url, model: source)
        defer { store.close() }
        let loss = MigrationLoss(of: route)
        let stored = Set(store.entities.compactMap(\.name))
        entries = try store.context.performSynchronously {
            try loss.items.compactMap { item in
                let names = item.entities.compactMap(\.name).filter(stored.contains)
                let count = try names.reduce(0) { try $0 + Self.count(item.property, of: $1, in: store.context) }
                guard count > 0 else { return nil }
                return Entry(
                    entity: item.entity.name ?? "", property: item.property?.name,
                    kind: item.property == nil
                        ? .objects : item.property is NSRelationshipDescription ? .links : .values, count: count)
            }
        }
        isWhole = loss.isWhole && !entries.isEmpty
    }

    /// The number of an entity's objects, or of its objects with a value of a property.
    private static func count(_ property: NSPropertyDescription?, of entity: String, in context: NSManagedObjectContext)
        throws -> Int
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        request.predicate = property.map(predicate)
        return try context.count(for: request)
    }

    private static func predicate(for property: NSPropertyDescription) -> NSPredicate {
        if let relationship = property as? NSRelationshipDescription, relationship.isToMany {
            return NSPredicate(format: "%K.@count > 0", argumentArray: [property.name])
        }
        guard let composite = property as? NSCompositeAttributeDescription else {
            return NSPredicate(format: "%K != nil", argumentArray: [property.name])
        }
        return NSCompoundPredicate(
            orPredicateWithSubpredicates: elements(of: composite, composite.name).map {
                NSPredicate(format: "%K != nil", argumentArray: [$0])
            })
    }

    private static func elements(of composite: NSCompositeAttributeDescription, _ path: String) -> [String] {
        composite.elements.flatMap { element in
            let path = "\(path).\(element.name)"
            return (element as? NSCompositeAttributeDescription).map { elements(of: $0, path) } ?? [path]
        }
    }

    /// The lost objects and values, with a heading; empty if nothing is lost.
    var lines: [String] {
        guard !entries.isEmpty else { return [] }
        return ["The migration deletes what the new model doesn't have:"] + entries.map { "  \($0.text)" }
    }

    /// The numbers of objects, values and links in words.
    private var counts: String {
        let counts = [Entry.Kind.objects, .values, .links].compactMap { kind -> String? in
            let count = entries.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
            return count == 0 ? nil : Wording.count(count, String(kind.rawValue.dropLast()))
        }
        return counts.joined(separator: ", ")
    }

    /// The question whether all that may be deleted.
    var question: String {
        (isWhole ? "The model has no entity of the store: it is probably the model of another store. " : "")
            + "Delete \(counts)?"
    }

    /// The error of a migration that would delete values, without the permission to do so.
    var refusal: CommandError {
        CommandError(
            "The migration would delete \(counts), see above. "
                + (isWhole
                    ? "The model has no entity of the store: it is probably the model of another store. " : "")
                + "The store stays as it is. To delete them, add --allow-loss.")
    }
}
