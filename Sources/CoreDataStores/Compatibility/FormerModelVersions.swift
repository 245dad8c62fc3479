// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// The versions of its model that a store had before: a key of its metadata.
///
/// A program whose version is among them is older than the store. An automatic migration back would delete the parts
/// that newer versions have added, also for newer programs that have the store open. Only a program that knows the
/// version of the store, or whose options ask for it (``NSMigratePersistentStoresToFormerVersionOption``), may go back.
///
/// Models count as versions if a program has them side by side, in a bundle or in stages, or if their version
/// identifiers differ. A model that a developer changes in place, and changes back, has no versions: only the store
/// remembers its former form.
package struct FormerModelVersions {
    /// The key in the metadata of a store.
    package static let key = "OpenCoreDataFormerModelVersions"
    /// The number of versions that are kept, the newest ones.
    private static let limit = 1000

    /// The digests of the version hashes, oldest first.
    private let digests: [String]

    /// - Parameter metadata: the metadata of a store.
    init(_ metadata: [String: Any]) {
        digests = (metadata[Self.key] as? [Any])?.compactMap { $0 as? String } ?? []
    }

    /// Whether the store was of a version with some hashes before.
    package func contains(_ hashes: [String: Data]) -> Bool {
        !digests.isEmpty && digests.contains(VersionHashSummary.digest(of: hashes))
    }

    /// The value of the key after a migration; nil for no former version.
    ///
    /// - Parameters:
    ///   - metadata: the metadata before the migration.
    ///   - hashes: the version hashes after it.
    ///   - destination: the model of the program that migrates.
    ///   - isExplicit: whether that program has given the version of the store, or the mapping. Otherwise the version
    ///     counts if the program knows it besides its present version.
    package static func value(
        migrating metadata: [String: Any], to hashes: [String: Data], of destination: NSManagedObjectModel,
        isExplicit: Bool
    ) -> [String]? {
        let former = FormerModelVersions(metadata).digests
        let target = VersionHashSummary.digest(of: hashes)
        // After a migration back, only the versions before the target are former versions.
        if let position = former.firstIndex(of: target) { return position == 0 ? nil : Array(former[..<position]) }
        guard let source = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata), !source.isEmpty,
            source != hashes,
            differsInIdentifiers(metadata, destination) || isExplicit || isVersion(metadata, besides: destination)
        else { return former.isEmpty ? nil : former }
        return (former + [VersionHashSummary.digest(of: source)]).suffix(limit)
    }

    /// Whether the model of a store and another model both have version identifiers, which differ.
    private static func differsInIdentifiers(_ metadata: [String: Any], _ model: NSManagedObjectModel) -> Bool {
        let stored = Set((metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).compactMap { $0 as? String })
        let own = Set(model.versionIdentifiers.compactMap { $0.base as? String })
        return stored.subtracting([""]) != own.subtracting([""])
    }
}

extension FormerModelVersions {
    /// Checks that an automatic migration leads to no former version of a store that the program doesn't know.
    ///
    /// - Parameters:
    ///   - metadata: the metadata of the store.
    ///   - hashes: the version hashes that the store would have.
    ///   - model: the model of the program.
    ///   - isAllowed: whether the options of the store ask for the way back.
    ///   - store: the path or address of the store.
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100).
    package static func check(
        _ metadata: [String: Any], hashes: [String: Data], model: NSManagedObjectModel, isAllowed: Bool, store: String
    ) throws {
        guard !isAllowed, FormerModelVersions(metadata).contains(hashes), !isVersion(metadata, besides: model) else {
            return
        }
        let name = store.split(separator: "/").last.map(String.init) ?? store
        let reason = "The model used to open the store is incompatible with the one used to create the store"
        throw CoreDataErrors.error(
            NSPersistentStoreIncompatibleVersionHashError,
            "The store \u{201c}\(name)\u{201d} couldn\u{2019}t be opened.",
            reason: """
                \(reason). A newer version of the program has migrated the store: the version of this program is a \
                former one of the store. A migration back would delete what the newer version has added.
                """,
            suggestion: """
                Use the newer version of the program. To migrate the store back all the same, set \
                NSMigratePersistentStoresToFormerVersionOption.
                """,
            userInfo: [NSFilePathErrorKey: store, "metadata": metadata, "reason": reason])
    }

    /// Whether a program knows the version of a store besides its present model.
    private static func isVersion(_ metadata: [String: Any], besides model: NSManagedObjectModel) -> Bool {
        let hashes = NSManagedObjectModel.versionHashes(inStoreMetadata: metadata) ?? [:]
        return StoreIncompatibility.version(of: hashes, among: ModelVersion.known(besides: model)) != nil
    }
}
