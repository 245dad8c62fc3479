// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStore {
    /// The type of a store.
    public struct StoreType: Hashable, RawRepresentable, Sendable {
        /// The name of the type, as in metadata.
        public var rawValue: String

        /// Makes the type of a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// SQLite files in Apple's format.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// XML files.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
        /// Binary files.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// Objects in memory only.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
