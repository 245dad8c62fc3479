// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Archives a model. Entities and properties refer to each other. Each gets a reference first, and its contents are
/// written later, so that a long chain of references needs no deep recursion.
final class ModelArchiver {
    typealias Entry = (key: String, value: PropertyListValue)

    /// A property of one entity. The model cache of a store contains a copy of the property for each entity that
    /// inherits it.
    private struct PropertyKey: Hashable {
        let property: ObjectIdentifier
        let entity: ObjectIdentifier
    }

    private enum Job {
        case entity(NSEntityDescription, PropertyListValue)
        case property(NSPropertyDescription, NSEntityDescription, PropertyListValue)
    }

    let model: NSManagedObjectModel
    let form: ModelArchive.Form
    let writer = KeyedArchiveWriter()
    private let entityNames: [String]
    private let modelReference: PropertyListValue
    private var entityReferences: [ObjectIdentifier: PropertyListValue] = [:]
    private var propertyReferences: [PropertyKey: PropertyListValue] = [:]
    private var jobs: [Job] = []
    private var nextJob = 0
    private lazy var emptyUserInfo = writer.add(dictionary: [], class: .dictionary)

    init(_ model: NSManagedObjectModel, form: ModelArchive.Form) throws {
        self.model = model
        self.form = form
        if let problem = model.firstProblem(isPartial: form == .coded) { throw Self.invalid(problem.message) }
        entityNames = model.entities.compactMap(\.name).sortedBytewise()
        modelReference = writer.reserve()
    }

    func data() throws -> Data {
        var entries: [Entry] = [("NSEntities", try addEntities())]
        try writeReferencedObjects()
        entries.append(("NSFetchRequestTemplates", try addTemplates()))
        let identifiers = model.versionIdentifiers.map(\.base).sorted {
            String(describing: $0) < String(describing: $1)
        }
        entries.append(
            (
                "NSVersionIdentifiers",
                writer.add(
                    array: try identifiers.map { try writer.add(foundation: $0, what: "a version identifier") },
                    class: .set)
            ))
        if !model.configurations.isEmpty { entries.append(("NSConfigurations", addConfigurations())) }
        try writeReferencedObjects()
        writer.fill(modelReference, class: KeyedArchiveClass("NSManagedObjectModel"), entries)
        return writer.data(root: modelReference)
    }

    /// Writes all entities and properties that have a reference but no contents yet.
    private func writeReferencedObjects() throws {
        while nextJob < jobs.count {
            switch jobs[nextJob] {
            case .entity(let entity, let reference): try write(entity, at: reference)
            case .property(let property, let entity, let reference): try write(property, of: entity, at: reference)
            }
            nextJob += 1
        }
    }

    static func invalid(_ what: String) -> any Error {
        CoreDataErrors.cocoaError(
            .coderInvalidValue, message: "The model cannot be archived: \(what)", reason: what,
            userInfo: [NSDebugDescriptionErrorKey: what])
    }

    // MARK: References

    func reference(to entity: NSEntityDescription?) -> PropertyListValue {
        guard let entity else { return KeyedArchiveWriter.null }
        if let known = entityReferences[ObjectIdentifier(entity)] { return known }
        let reference = writer.reserve()
        entityReferences[ObjectIdentifier(entity)] = reference
        jobs.append(.entity(entity, reference))
        return reference
    }

    func reference(to property: NSPropertyDescription, of entity: NSEntityDescription) -> PropertyListValue {
        let key = PropertyKey(property: ObjectIdentifier(property), entity: ObjectIdentifier(entity))
        if let known = propertyReferences[key] { return known }
        let reference = writer.reserve()
        propertyReferences[key] = reference
        jobs.append(.property(property, entity, reference))
        return reference
    }

    // MARK: Parts of the model

    private func addEntities() throws -> PropertyListValue {
        let keys = entityNames.map { writer.add(string: $0) }
        let values = entityNames.map { reference(to: model.entity(named: $0)) }
        guard form == .storeCache else {
            return writer.add(dictionary: Array(zip(keys, values)).map { (key: $0.0, value: $0.1) })
        }
        let mapping = writer.add(
            class: KeyedArchiveClass("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy"),
            [
                ("keys", writer.add(array: keys, class: .array)), ("length", .integer(Int64(keys.count))),
                ("version", .integer(1)),
            ])
        return writer.add(
            class: KeyedArchiveClass(
                "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"),
            [
                ("searchMapping", mapping),
                // The token for a key without a value, which this dictionary doesn't contain.
                ("emptyToken", writer.add(string: "__empty_slot_token_4c24_98dc_ac1e_b773__")),
                ("values", writer.add(array: values, class: .array)), ("version", .integer(1)),
            ])
    }

    private func addTemplates() throws -> PropertyListValue {
        let templates = model.fetchRequestTemplatesByName.sortedBytewise { $0.key }
        guard form != .storeCache, !templates.isEmpty else { return KeyedArchiveWriter.null }
        return writer.add(
            dictionary: try templates.map { name, request in
                (
                    key: writer.add(string: name),
                    value: try add(request.fetchDescription, owner: "the template \"\(name)\"")
                )
            })
    }

    private func addConfigurations() -> PropertyListValue {
        writer.add(
            dictionary: model.configurations.map { name in
                let members = model.entities(forConfigurationName: name) ?? []
                return (
                    key: writer.add(string: name),
                    value: writer.add(array: members.map { reference(to: $0) }, class: .set)
                )
            })
    }

    // MARK: Entities

    private func write(_ entity: NSEntityDescription, at reference: PropertyListValue) throws {
        let name = entity.name ?? ""
        let subentities = entity.subentities.sortedBytewise { $0.name ?? "" }
        let properties = (form == .storeCache ? entity.properties : entity.ownProperties)
            .sortedBytewise { $0.name }
        var entries: [Entry] = [
            ("NSEntityName", writer.add(string: name)),
            (
                "NSClassNameForEntity",
                form == .storeCache ? KeyedArchiveWriter.null : writer.add(string: entity.explicitClassName)
            ),
            ("NSManagedObjectModel", modelReference),
            ("NSSuperentity", self.reference(to: entity.superentity)),
            (
                "NSSubentities",
                writer.add(
                    dictionary: subentities.map {
                        (key: writer.add(string: $0.name), value: self.reference(to: $0))
                    })
            ),
            (
                "NSProperties",
                writer.add(
                    dictionary: properties.map {
                        (key: writer.add(string: $0.name), value: self.reference(to: $0, of: entity))
                    })
            ),
            ("NSRenamingIdentifier", writer.add(string: entity.renamingIdentifier)),
            ("NSVersionHashModifier", writer.add(string: entity.versionHashModifier)),
            ("NSUserInfo", try add(userInfo: entity.userInfo, owner: "the entity \"\(name)\"")),
        ]
        if entity.isAbstract { entries.append(("NSIsAbstract", .boolean(true))) }
        if !entity.uniquenessConstraintNames.isEmpty {
            entries.append(("NSUniqueTuples", addNameLists(entity.uniquenessConstraintNames)))
        }
        if let expression = entity.displayNameExpressionStorage {
            let archiver = PredicateArchiver(writer: writer, owner: "the entity \"\(name)\"")
            entries.append(("NSCoreSpotlightDisplayNameExpression", try archiver.add(expression)))
        }
        entries += try indexEntries(of: entity)
        writer.fill(reference, class: KeyedArchiveClass("NSEntityDescription"), entries)
    }

    func addNameLists(_ lists: [[String]]) -> PropertyListValue {
        writer.add(array: lists.map { list in writer.add(array: list.map { writer.add(string: $0) }) })
    }

    func add(userInfo: [AnyHashable: Any]?, owner: String) throws -> PropertyListValue {
        guard let userInfo, !userInfo.isEmpty else { return emptyUserInfo }
        return try writer.add(userInfo: userInfo, what: "the user info of \(owner)")
    }
}
