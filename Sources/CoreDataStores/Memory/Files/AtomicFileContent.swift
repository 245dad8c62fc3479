// SPDX-License-Identifier: Apache-2.0

/// The contents of a store's file, without a model: what all formats of such files have in common.
package struct AtomicFileContent {
    /// The store's UUID.
    package var identifier: String
    /// All metadata with the UUID.
    package var metadata: [String: Any]
    /// A number above the keys of all objects.
    package var nextKey: Int64
    /// The highest `nextKey` that a file may have: a store adds to it without checking for an overflow.
    static let highestNextKey: Int64 = 1 << 62
    var objects: [Object] = []

    package init(identifier: String, metadata: [String: Any], nextKey: Int64, objects: [Object] = []) {
        self.identifier = identifier
        self.metadata = metadata
        self.nextKey = nextKey
        self.objects = objects
    }

    package struct Object {
        package let entity: String
        /// Unique among the objects of all entities.
        let key: Int64
        /// The attributes that aren't nil.
        var values: [Value] = []
        var relationships: [Relationship] = []
    }

    package struct Value {
        /// The attribute's name; the key path of an element of a composite attribute.
        let name: String
        /// Not known to a reader.
        package var kind: StorageKind = .undefined
        /// A file of text has the value as text.
        package let value: PropertyListValue
    }

    struct Relationship {
        let name: String
        let keys: [Int64]
        /// Nil for a reader.
        var slot: PropertySlot?
        /// The name of the destination entity.
        var destination = ""
    }
}

/// A format of the files of stores that are read and written as a whole.
package protocol AtomicFileFormat {
    static var storeType: String { get }
    /// Reads the UUID, the metadata and the next key.
    ///
    /// - Throws: 259 for a file of another format, or a damaged one.
    static func readHeader(_ data: Data, path: String) throws -> AtomicFileContent
    /// Reads everything.
    ///
    /// - Throws: 259 for a file of another format, or a damaged one.
    static func read(_ data: Data, path: String) throws -> AtomicFileContent
    /// The bytes of a file.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) for metadata that are no property list.
    static func write(_ content: AtomicFileContent, names: AtomicFileNames, path: String) throws -> Data
    /// A file with other metadata.
    static func replacingHeader(of data: Data, by header: AtomicFileContent, path: String) throws -> Data
}
