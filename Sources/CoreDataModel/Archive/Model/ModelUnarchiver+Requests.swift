// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

extension ModelUnarchiver {
    /// Decodes the requests of the fetched properties that an entity declares.
    func fillFetchedProperties(of object: KeyedArchiveObject) throws {
        for (_, value) in try object.entries("NSProperties") ?? [] {
            guard let archived = value.object, archived.className == "NSFetchedPropertyDescription",
                let property = properties[archived.index] as? NSFetchedPropertyDescription,
                property.fetchRequest == nil,
                let request = try archived.object("NSFetchRequest")
            else { continue }
            let made = try fetchRequest(request)
            if made.fetchDescription.entity == nil, let name = try archived.string("_NSFetchRequestEntityName") {
                made.fetchDescription.entityNameStorage = name
            }
            property.fetchRequest = made
        }
    }

    func fetchRequest(_ object: KeyedArchiveObject) throws -> NSFetchRequest<any NSFetchRequestResult> {
        guard object.className == "NSFetchRequest" else {
            throw keyedArchiveError("an object of class \(object.className) was found instead of a fetch request")
        }
        var description = FetchDescription()
        if let archived = try object.object("NSEntity") {
            if archived.archive === root.archive, root.className == "NSFetchRequest" {
                description.entityNameStorage = try archived.string("NSEntityName")
            } else {
                description.entity = try entity(archived)
            }
        } else {
            description.entityNameStorage = try object.string("NSEntityName")
        }
        description.predicate = try object.object("NSPredicate").map(predicates.predicate)
        description.havingPredicate = try object.object("NSHavingPredicate").map(predicates.predicate)
        description.sortDescriptors = try object.objects("NSSortDescriptors")?.map(ArchivedSortDescriptor.decode)
        description.fetchLimit = try object.integer("NSFetchLimit") ?? 0
        description.fetchOffset = try object.integer("NSFetchOffset") ?? 0
        description.fetchBatchSize = try object.integer("NSBatchSize") ?? 0
        guard let resultType = UInt(exactly: try object.integer("NSResultType") ?? 0) else {
            throw object.typeMismatch("NSResultType", "a result type")
        }
        description.resultType = NSFetchRequestResultType(rawValue: resultType)
        description.propertiesToFetch = try selection(object, "NSValuesToFetch")
        description.propertiesToGroupBy = try selection(object, "NSValuesToGroupBy")
        description.relationshipKeyPathsForPrefetching = try object.strings("NSRelationshipKeyPathsForPrefetching")
        if try object.flag("NSHasFetchRequestFlags"), let bits = try object.integer("NSFetchRequestFlags") {
            ArchivedFetchFlags.apply(bits, to: &description)
        }
        return NSFetchRequest<any NSFetchRequestResult>(fetchDescription: description)
    }

    /// Decodes a list of names of properties, properties of the model, and expression descriptions.
    private func selection(_ object: KeyedArchiveObject, _ key: String) throws -> [Any]? {
        try object.elements(key)?.map { element in
            switch element {
            case .plain(.string(let name)):
                return name
            case .object(let archived):
                let target = try underlying(archived)
                if let property = properties[archived.index] ?? properties[target.index] { return property }
                if target.className == "NSExpressionDescription" { return try makeProperty(target) }
                return try target.requiredString("NSPropertyName")
            default:
                throw object.typeMismatch(key, "properties")
            }
        }
    }
}

/// The bits of `NSFetchRequestFlags` in an archived fetch request.
///
/// Files contain 30 for a request with default options. Therefore the four options that are on by default have the bits
/// 2 to 16, and the other options have further bits. Their order is unknown; this is the order in Apple's headers.
enum ArchivedFetchFlags {
    private static let distinct = 1
    private static let subentities = 2
    private static let propertyValues = 4
    private static let asFaults = 8
    private static let pendingChanges = 16
    private static let refreshing = 32

    static func apply(_ bits: Int, to description: inout FetchDescription) {
        description.returnsDistinctResults = bits & distinct != 0
        description.includesSubentities = bits & subentities != 0
        description.includesPropertyValues = bits & propertyValues != 0
        description.returnsObjectsAsFaults = bits & asFaults != 0
        description.includesPendingChanges = bits & pendingChanges != 0
        description.shouldRefreshRefetchedObjects = bits & refreshing != 0
    }

    static func bits(of description: FetchDescription) -> Int {
        (description.returnsDistinctResults ? distinct : 0)
            | (description.includesSubentities ? subentities : 0)
            | (description.includesPropertyValues ? propertyValues : 0)
            | (description.returnsObjectsAsFaults ? asFaults : 0)
            | (description.includesPendingChanges ? pendingChanges : 0)
            | (description.shouldRefreshRefetchedObjects ? refreshing : 0)
    }
}
