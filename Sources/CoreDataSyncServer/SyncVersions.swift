// SPDX-License-Identifier: Apache-2.0

import CoreData
import CoreDataSyncModel
import CoreDataSyncWire

/// The versions of the server's model that replicas may have.
///
/// A version is served if a mapping from it can be inferred, and the values of a replica have a place on both sides:
/// see ``SyncVersion``. Names need no mapping: messages have renaming identifiers. The part of a version in one of its
/// configurations is a version, too, for replicas whose coordinator has several stores.
struct SyncVersions {
    /// The older versions, and why one isn't served, by ``SyncSchema/version``.
    private var known: [String: (version: SyncVersion, refusal: SyncFailure?)] = [:]
    private let present: String
    /// The names of the hierarchies of an entity in all versions. UUIDs of identifying values are made of them.
    private let roots: [String: Set<String>]

    /// - Parameter models: the older versions of the model, the oldest first.
    /// - Throws: ``SyncSchemaError`` for a mistake in the user info of one.
    init(
        _ models: [NSManagedObjectModel], before model: NSManagedObjectModel, _ schema: SyncSchema,
        _ variant: SyncServerVariant
    ) throws {
        present = schema.version
        var roots = schema.entities.mapValues { Set([$0.rootName]) }
        var (names, reasons): ([String: String], [String: String]) = ([:], [:])
        var served: Set<String> = []
        var lowest: String?
        for (index, older) in models.enumerated() {
            let other = try SyncSchema(older)
            let identifiers = older.versionIdentifiers.compactMap { $0 as? String }.filter { !$0.isEmpty }.sorted()
            let name = identifiers.first ?? "\(index + 1)"
            for entity in other.entities.values where !variant.contains(.ignoresRoots) {
                roots[entity.name]?.insert(entity.rootName)
            }
            // A version may differ from the server's by its configurations alone.
            var versions = try Self.parts(of: older, other, schema, variant)
            if other.version != schema.version {
                versions.append(
                    SyncVersion(schema: other, present: schema, fillsDefaults: !variant.contains(.ignoresDefaults)))
            }
            for version in versions {
                known[version.schema.version] = (version, nil)
                names[version.schema.version] = name
            }
            do {
                if let version = versions.first(where: { $0.schema.version == other.version }) {
                    _ = try NSMappingModel.inferredMappingModel(forSourceModel: older, destinationModel: model)
                    try version.check()
                    lowest = lowest ?? name
                }
                served.formUnion(versions.map(\.schema.version))
            } catch {
                let reason = (error as? SyncSchemaError)?.description ?? error.localizedDescription
                for version in versions { reasons[version.schema.version] = reason }
            }
        }
        for part in try Self.parts(of: model, schema, schema, variant) {
            known[part.schema.version] = (part, nil)
            served.insert(part.schema.version)
        }
        // Several versions may have a configuration with the same entities: one of them that is served is enough.
        for (version, reason) in reasons where !served.contains(version) {
            let text = """
                The server doesn't serve the version \(names[version] ?? "") of the model any more, \
                \(lowest.map { "the lowest is \($0)" } ?? "but the newest alone"): \(reason)
                """
            known[version]?.refusal = SyncFailure(.outdatedModel, text)
        }
        self.roots = roots
    }

    /// The versions of the configurations of a model that don't have all of its entities.
    private static func parts(
        of model: NSManagedObjectModel, _ whole: SyncSchema, _ present: SyncSchema, _ variant: SyncServerVariant
    ) throws -> [SyncVersion] {
        try model.configurations.sorted().compactMap { name in
            var options = SyncSchema.Options()
            options.configurationName = name
            let schema = try SyncSchema(model, options)
            guard schema.version != whole.version, schema.version != present.version else { return nil }
            return SyncVersion(schema: schema, present: present, fillsDefaults: !variant.contains(.ignoresDefaults))
        }
    }

    /// The version of a replica's model; nil for the server's own.
    ///
    /// - Throws: ``SyncFailure`` for one that isn't served.
    func version(_ name: String?) throws -> SyncVersion? {
        guard let name, name != present else { return nil }
        guard let (version, refusal) = known[name] else {
            throw SyncFailure(
                .unknownModel,
                "The server doesn't know the version of the replica's model: update the server, or give it the version."
            )
        }
        if let refusal { throw refusal }
        return version
    }

    /// The version by which the bytes of a push were made. It needn't be served, since the app was updated since.
    func version(ofBody request: SyncPushRequest) -> SyncVersion? {
        (request.bodyModel ?? request.model).flatMap { known[$0]?.version }
    }

    /// The UUIDs that an object with an identifying value has on replicas of all versions; none if all have the same.
    func identities(_ entity: SyncEntity, _ value: @autoclosure () -> Any?) -> [UUID] {
        guard let roots = roots[entity.name], roots.count > 1 else { return [] }
        let value = value()
        return roots.sorted().compactMap { SyncIdentity.uuid($0, value) }
    }
}

/// An older version of the server's model.
struct SyncVersion {
    let schema: SyncSchema
    let present: SyncSchema
    /// Whether a required value has its default in place of null.
    let fillsDefaults: Bool

    /// Checks that values have a place on both sides.
    ///
    /// - Throws: ``SyncSchemaError``
    func check() throws {
        for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) {
            guard let new = present.entities[entity.name] else { continue }
            for property in entity.properties.values.sorted(by: { $0.name < $1.name }) {
                func refuse(_ text: String) -> SyncSchemaError {
                    SyncSchemaError(entity: entity.modelName, property: property.key, text: text)
                }
                guard let other = new.properties[property.name] else {
                    if property.needsValue { throw refuse("It has no default, and the server has no values for it.") }
                    continue
                }
                guard property.kind.isCompatible(with: other.kind) else {
                    throw refuse("It has another type on the server.")
                }
                if property.needsValue, !other.isRequired {
                    throw refuse("It needs a value and has no default, and is optional on the server.")
                }
            }
        }
    }

    /// Whether replicas of the version can have objects of an entity.
    func has(_ entityName: String) -> Bool { schema.entities[entityName].map { !$0.isAbstract } ?? false }

    /// A value for a replica; nil if the version doesn't know the property.
    func value(_ value: SyncValue, of property: String, _ entityName: String) -> SyncValue? {
        guard let property = schema.entities[entityName]?.properties[property] else { return nil }
        return value == .null && property.isRequired && fillsDefaults ? property.defaultValue ?? value : value
    }

    /// A group of a replica, as one of the server's version would send it: what the server's version doesn't have any
    /// more is left out, and a required value has its default.
    func upgraded(_ group: SyncGroup) -> SyncGroup {
        SyncGroup(
            changes: group.changes.map { change in
                guard let old = schema.entities[change.entity], let new = present.entities[change.entity] else {
                    return change
                }
                var change = change
                change.properties = change.properties.filter {
                    old.properties[$0.key] == nil || new.properties[$0.key] != nil
                }
                for (name, property) in change.properties where property.change == .value(.null) {
                    guard let required = new.properties[name], required.isRequired, let value = required.defaultValue
                    else { continue }
                    change.properties[name]?.change = .value(value)
                }
                return change
            })
    }
}
