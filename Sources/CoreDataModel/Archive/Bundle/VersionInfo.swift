// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The contents of a bundle's `VersionInfo.plist`.
struct VersionInfo {
    private static let currentKey = "NSManagedObjectModel_CurrentVersionName"
    private static let hashesKey = "NSManagedObjectModel_VersionHashes"
    private static let checksumsKey = "NSManagedObjectModel_VersionChecksums"

    var currentVersionName: String?
    var hashes: [String: [String: Data]] = [:]
    var checksums: [String: String] = [:]

    init() {}

    init(contentsOf url: URL) throws {
        let list: PropertyListValue
        do {
            list = try PropertyListReader.read(ModelFile.contents(of: url))
        } catch let error as CocoaError where error.code == .propertyListReadCorrupt {
            throw ModelArchive.fileError(.fileReadCorruptFile, url, ModelArchive.reason(error), underlying: error)
        }
        guard let dictionary = list.dictionaryValue else {
            throw ModelArchive.fileError(.fileReadCorruptFile, url, "it is not a dictionary")
        }
        currentVersionName = dictionary[Self.currentKey]?.stringValue
        for (version, value) in dictionary[Self.hashesKey]?.dictionaryValue?.entries ?? [] {
            for (entity, hash) in value.dictionaryValue?.entries ?? [] {
                guard let data = hash.dataValue else {
                    throw ModelArchive.fileError(
                        .fileReadCorruptFile, url,
                        "the hash of the entity \"\(entity)\" of version \"\(version)\" is not data")
                }
                hashes[version, default: [:]][entity] = data
            }
        }
        for (version, value) in dictionary[Self.checksumsKey]?.dictionaryValue?.entries ?? [] {
            checksums[version] = value.stringValue
        }
    }

    /// The file. Its keys are sorted, so that equal models have equal files.
    var data: Data {
        var dictionary = PropertyListDictionary()
        if let currentVersionName { dictionary[Self.currentKey] = .string(currentVersionName) }
        dictionary[Self.checksumsKey] = Self.sorted(checksums.mapValues(PropertyListValue.string))
        dictionary[Self.hashesKey] = Self.sorted(hashes.mapValues { Self.sorted($0.mapValues(PropertyListValue.data)) })
        return BinaryPropertyListWriter.write(.dictionary(dictionary))
    }

    private static func sorted(_ values: [String: PropertyListValue]) -> PropertyListValue {
        .dictionary(
            PropertyListDictionary(
                values.sortedBytewise { $0.key }.map { (key: $0.key, value: $0.value) }))
    }
}
