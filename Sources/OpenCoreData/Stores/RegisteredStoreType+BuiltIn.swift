// SPDX-License-Identifier: Apache-2.0

extension RegisteredStoreType {
    /// The store types of every program, by name.
    static let builtIn: [String: RegisteredStoreType] = [
        NSSQLiteStoreType: RegisteredStoreType(storeClass: SQLiteStore.self, locations: .files),
        NSXMLStoreType: RegisteredStoreType(storeClass: XMLStore.self, locations: .files),
        NSBinaryStoreType: RegisteredStoreType(storeClass: BinaryStore.self, locations: .files),
        NSInMemoryStoreType: RegisteredStoreType(
            storeClass: MemoryStore.self,
            locations: .ignored(placeholder: URL(fileURLWithPath: OperatingSystem.nullDevice))),
    ]

    /// The type of a store in a file whose type is not known.
    static let nameForFiles = NSSQLiteStoreType
}
