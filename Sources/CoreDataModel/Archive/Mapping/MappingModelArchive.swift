// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The archived form of a mapping model: the compiled file (`.cdm`).
package enum MappingModelArchive {
    private typealias Entry = (key: String, value: PropertyListValue)

    /// Reads a mapping model.
    ///
    /// - Parameter data: a keyed archive, binary or XML.
    /// - Throws: `CocoaError.propertyListReadCorrupt` (3840) or `CocoaError.coderReadCorrupt` (4864), with the reason
    ///   under `NSDebugDescriptionErrorKey`.
    static func decode(_ data: Data) throws -> NSMappingModel {
        try MappingModelUnarchiver().model(KeyedArchiveReader(data).root())
    }

    /// Archives a mapping model.
    ///
    /// - Throws: `CocoaError.coderInvalidValue` (4866) for parts without an archived form: expressions with blocks,
    ///   user info of unknown classes.
    package static func encode(_ model: NSMappingModel) throws -> Data {
        let writer = KeyedArchiveWriter()
        let root = writer.reserve()
        let mappings: [NSEntityMapping] = model.entityMappings
        let references = try mappings.map { try add($0, to: writer) }
        let byName = Dictionary(
            zip(mappings, references).compactMap { mapping, reference in mapping.name.map { ($0, reference) } },
            uniquingKeysWith: { $1 })
        let named = byName.sortedBytewise { $0.key }
        writer.fill(
            root, class: KeyedArchiveClass("NSMappingModel"),
            [
                ("NSEntityMappings", writer.add(array: references, class: .array)),
                (
                    "NSEntityMappingsByName",
                    writer.add(
                        dictionary: named.map { (key: writer.add(string: $0.key), value: $0.value) }, class: .dictionary
                    )
                ),
            ])
        return writer.data(root: root)
    }

    private static func add(_ mapping: NSEntityMapping, to writer: KeyedArchiveWriter) throws -> PropertyListValue {
        let owner = "the entity mapping \"\(mapping.name ?? "")\""
        let reference = writer.reserve()
        let entries: [Entry] = [
            ("NSMappingName", writer.add(string: mapping.name)),
            ("NSMappingType", .integer(Int64(mapping.mappingType.rawValue))),
            ("NSSourceEntityName", writer.add(string: mapping.sourceEntityName)),
            ("NSSourceEntityVersionHash", add(mapping.sourceEntityVersionHash, to: writer)),
            ("NSDestinationEntityName", writer.add(string: mapping.destinationEntityName)),
            ("NSDestinationEntityVersionHash", add(mapping.destinationEntityVersionHash, to: writer)),
            ("NSSourceExpression", try PredicateArchiver(writer: writer, owner: owner).add(mapping.sourceExpression)),
            ("NSEntityMigrationPolicyClassName", writer.add(string: mapping.entityMigrationPolicyClassName)),
            ("NSAttributeMappings", try add(mapping.attributeMappings, of: owner, to: writer)),
            ("NSRelationshipMappings", try add(mapping.relationshipMappings, of: owner, to: writer)),
            ("NSUserInfo", try add(userInfo: mapping.userInfo, of: owner, to: writer)),
        ]
        writer.fill(reference, class: KeyedArchiveClass("NSEntityMapping"), entries)
        return reference
    }

    private static func add(
        _ mappings: [NSPropertyMapping]?, of owner: String, to writer: KeyedArchiveWriter
    ) throws -> PropertyListValue {
        guard let mappings else { return KeyedArchiveWriter.null }
        let references = try mappings.map { mapping in
            let subject = "the mapping of \"\(mapping.name ?? "")\" in \(owner)"
            return writer.add(
                class: KeyedArchiveClass("NSPropertyMapping"),
                [
                    ("NSDestinationPropertyName", writer.add(string: mapping.name)),
                    (
                        "NSValueExpression",
                        try PredicateArchiver(writer: writer, owner: subject).add(mapping.valueExpression)
                    ),
                    ("NSPropertyTransforms", try writer.add(foundation: mapping.propertyTransforms, what: subject)),
                    ("NSUserInfo", try add(userInfo: mapping.userInfo, of: subject, to: writer)),
                ])
        }
        return writer.add(array: references, class: .array)
    }

    private static func add(_ hash: Data?, to writer: KeyedArchiveWriter) -> PropertyListValue {
        hash.map { writer.add(plain: .data($0)) } ?? KeyedArchiveWriter.null
    }

    private static func add(
        userInfo: [AnyHashable: Any]?, of owner: String, to writer: KeyedArchiveWriter
    ) throws -> PropertyListValue {
        guard let userInfo else { return KeyedArchiveWriter.null }
        return try writer.add(userInfo: userInfo, what: "the user info of \(owner)")
    }
}
