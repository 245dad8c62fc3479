// SPDX-License-Identifier: Apache-2.0

/// The file of a store of type `NSBinaryStoreType`: a binary property list.
///
/// Its dictionary has the keys `format` (the text `CoreDataBinaryStore`), `version`, `identifier`, `metadata` (a nested
/// property list), `nextKey`, and `entities`: a dictionary of arrays of objects by entity. An object is an array of its
/// key, its attributes and its relationships, both by name. Core Data's own format isn't documented.
package enum BinaryFileFormat: AtomicFileFormat {
    package static let storeType = NSBinaryStoreType

    private static let name = "CoreDataBinaryStore"
    private static let version: Int64 = 1
    private static let limits: PropertyListLimits = {
        var limits = PropertyListLimits.standard
        limits.size = Int(AtomicFile.sizeLimit)
        limits.depth = 16
        limits.values = 64_000_000
        return limits
    }()

    package static func readHeader(_ data: Data, path: String) throws -> AtomicFileContent {
        try header(try root(data, path), path)
    }

    package static func read(_ data: Data, path: String) throws -> AtomicFileContent {
        let root = try root(data, path)
        var content = try header(root, path)
        guard let entities = root["entities"]?.dictionaryValue else {
            throw AtomicFileErrors.corrupt(path, "It has no objects.")
        }
        for (entity, list) in entities.entries {
            guard case .array(let objects) = list else {
                throw AtomicFileErrors.corrupt(path, "The objects of the entity \(entity) are no list.")
            }
            content.objects.reserveCapacity(content.objects.count + objects.count)
            for object in objects { content.objects.append(try self.object(object, entity, path)) }
        }
        return content
    }

    private static func root(_ data: Data, _ path: String) throws -> PropertyListDictionary {
        let value: PropertyListValue
        do {
            value = try PropertyListReader.read(data, limits: limits)
        } catch {
            throw AtomicFileErrors.error(
                CocoaError.Code.fileReadCorruptFile.rawValue, path, .opening,
                reason: "It isn\u{2019}t in the correct format: \(CoreDataErrors.reason(of: error)).",
                suggestion: "Restore the file from a backup.", userInfo: [NSUnderlyingErrorKey: error as NSError])
        }
        guard let root = value.dictionaryValue, root["format"]?.stringValue == name else {
            throw AtomicFileErrors.corrupt(path, "It isn\u{2019}t in the correct format: it is no binary store.")
        }
        guard root["version"]?.integerValue == version else {
            throw AtomicFileErrors.corrupt(path, "Its format has another version than \(version).")
        }
        return root
    }

    private static func header(_ root: PropertyListDictionary, _ path: String) throws -> AtomicFileContent {
        guard let identifier = root["identifier"]?.stringValue, let next = root["nextKey"]?.integerValue,
            (1...AtomicFileContent.highestNextKey).contains(next), let bytes = root["metadata"]?.dataValue,
            let metadata = AtomicStoreMetadata.dictionary(in: bytes)
        else { throw AtomicFileErrors.corrupt(path, "Its metadata is missing or damaged.") }
        return AtomicFileContent(identifier: identifier, metadata: metadata, nextKey: next)
    }

    private static func object(_ value: PropertyListValue, _ entity: String, _ path: String) throws
        -> AtomicFileContent.Object
    {
        guard case .array(let parts) = value, parts.count == 3, case .integer(let key) = parts[0],
            let attributes = parts[1].dictionaryValue, let relationships = parts[2].dictionaryValue
        else { throw AtomicFileErrors.corrupt(path, "An object of the entity \(entity) is damaged.") }
        var object = AtomicFileContent.Object(entity: entity, key: key)
        object.values = attributes.entries.map { .init(name: $0.key, value: $0.value) }
        object.relationships = try relationships.entries.map { name, value in
            guard case .array(let members) = value else {
                throw AtomicFileErrors.corrupt(path, "The relationship \(entity).\(name) is damaged.")
            }
            let keys = try members.map { member in
                guard case .integer(let key) = member else {
                    throw AtomicFileErrors.corrupt(
                        path, "A member of the relationship \(entity).\(name) is no key of an object.")
                }
                return key
            }
            return .init(name: name, keys: keys)
        }
        return object
    }

    package static func write(_ content: AtomicFileContent, names: AtomicFileNames, path: String) throws -> Data {
        // A file that couldn't be read again isn't written.
        let count = content.objects.reduce(64) { count, object in
            object.relationships.reduce(count + 6 + 2 * object.values.count) { $0 + 2 + $1.keys.count }
        }
        guard count <= limits.values else {
            throw AtomicFileErrors.error(
                NSPersistentStoreSaveError, path, .saving,
                reason: "It would have \(count) values, more than a binary store can have.",
                suggestion: "Use a SQLite store.")
        }
        var lists: [String: [PropertyListValue]] = [:]
        for object in content.objects {
            lists[object.entity, default: []].append(
                .array([
                    .integer(object.key),
                    .dictionary(PropertyListDictionary(object.values.map { ($0.name, $0.value) })),
                    .dictionary(
                        PropertyListDictionary(
                            object.relationships.map { ($0.name, .array($0.keys.map { .integer($0) })) })),
                ]))
        }
        let entities = PropertyListDictionary(lists.sorted { $0.key < $1.key }.map { ($0.key, .array($0.value)) })
        return BinaryPropertyListWriter.write(.dictionary(try root(content, .dictionary(entities), path)))
    }

    private static func root(_ header: AtomicFileContent, _ entities: PropertyListValue, _ path: String) throws
        -> PropertyListDictionary
    {
        [
            "format": .string(name), "version": .integer(version), "identifier": .string(header.identifier),
            "metadata": .data(try AtomicStoreMetadata.data(header.metadata, format: .binary, path: path)),
            "nextKey": .integer(header.nextKey), "entities": entities,
        ]
    }

    package static func replacingHeader(of data: Data, by header: AtomicFileContent, path: String) throws -> Data {
        guard let entities = try root(data, path)["entities"] else {
            throw AtomicFileErrors.corrupt(path, "It has no objects.")
        }
        return BinaryPropertyListWriter.write(.dictionary(try root(header, entities, path)))
    }
}
