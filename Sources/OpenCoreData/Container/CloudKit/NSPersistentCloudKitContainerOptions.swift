// SPDX-License-Identifier: Apache-2.0

/// How a store is mirrored into CloudKit on Apple's platforms, and with a server that `CoreDataCloudKit` has registered
/// here.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "Music.sqlite"))
/// description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(
///     containerIdentifier: "iCloud.org.example.music")
/// ```
///
/// Without a registered server the options have no effect. The property `databaseScope` has a type of CloudKit and is
/// not declared.
nonisolated open class NSPersistentCloudKitContainerOptions: NSObject, @unchecked Sendable {
    private let identifier: String

    /// The identifier of the container in CloudKit.
    open var containerIdentifier: String { identifier }

    /// Makes options.
    ///
    /// - Parameter containerIdentifier: the identifier of the container in CloudKit.
    public init(containerIdentifier: String) {
        identifier = containerIdentifier
        super.init()
    }
}
