// SPDX-License-Identifier: Apache-2.0

/// The metadata of stores that keep their objects in memory.
package enum AtomicStoreMetadata {
    /// The metadata of a new store with a file.
    package static func make(
        type: String, identifier: String, model: NSManagedObjectModel, configuration: String
    ) -> [String: Any] {
        let hashes = versionHashes(of: model, configuration)
        return [
            NSStoreTypeKey: type,
            NSStoreUUIDKey: identifier,
            NSStoreModelVersionHashesKey: hashes,
            "NSStoreModelVersionHashesVersion": NSNumber(value: 3),
            "NSStoreModelVersionHashesDigest": VersionHashSummary.digest(of: hashes),
            "NSStoreModelVersionChecksumKey": VersionHashSummary.checksum(of: hashes),
            NSStoreModelVersionIdentifiersKey:
                model.versionIdentifiers.compactMap { $0.base as? String }.sortedBytewise(),
            "NSPersistenceFrameworkVersion": NSNumber(value: Int(NSCoreDataVersionNumber)),
        ]
    }

    /// The version hashes of the entities that a store with a configuration contains.
    package static func versionHashes(of model: NSManagedObjectModel, _ configuration: String) -> [String: Data] {
        let members = Set((model.entities(forConfigurationName: configuration) ?? model.entities).compactMap(\.name))
        return model.entityVersionHashesByName.filter { members.contains($0.key) }
    }

    /// Checks that a store was made from the entities of a configuration.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100), which names what differs.
    package static func checkCompatibility(
        of metadata: [String: Any], with model: NSManagedObjectModel, _ configuration: String, path: String
    ) throws {
        let stored = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        let expected = versionHashes(of: model, configuration)
        // A store that was made without a configuration has all entities.
        if stored == expected || stored == model.entityVersionHashesByName { return }
        throw StoreIncompatibility(storeHashes: stored, expected: expected, model: model, cachedModel: nil)
            .incompatibleVersionError(path: path, metadata: metadata, isReadOnly: false)
    }

    /// Checks an identifier that is going to be written.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) for one that object IDs can't contain.
    package static func checkIdentifier(_ identifier: String, path: String) throws {
        guard !StoreIdentifier.isUsable(identifier) else { return }
        throw AtomicFileErrors.error(
            NSPersistentStoreOperationError, path, .saving,
            reason: "\u{201c}\(identifier)\u{201d} can\u{2019}t be its identifier.",
            suggestion: "Use a UUID, or letters, digits, hyphens, dots and underscores.")
    }

    /// Metadata as a property list.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) for a value of a type that property lists don't have.
    static func data(
        _ metadata: [String: Any], format: PropertyListSerialization.PropertyListFormat, path: String
    )
        throws -> Data
    {
        do {
            guard PropertyListSerialization.propertyList(metadata, isValidFor: format) else {
                throw CoreDataErrors.cocoaError(
                    .propertyListWriteInvalid, message: "The metadata are no property list.",
                    reason: "A value has a type that property lists don't have.")
            }
            return try PropertyListSerialization.data(fromPropertyList: metadata, format: format, options: 0)
        } catch {
            throw AtomicFileErrors.error(
                NSPersistentStoreOperationError, path, .saving, reason: "Its metadata can\u{2019}t be written.",
                suggestion: "Use only strings, numbers, dates, data, arrays and dictionaries as metadata.",
                userInfo: [NSUnderlyingErrorKey: error as NSError])
        }
    }

    /// The metadata in a property list; nil if it contains no metadata.
    static func dictionary(in data: Data) -> [String: Any]? {
        // Unlike Foundation's reader this one limits depth and size.
        (try? PropertyListReader.read(data))?.dictionaryValue?.foundationDictionary
    }
}
