// SPDX-License-Identifier: Apache-2.0

/// The reference objects of a store's object IDs, and the keys that stand for them below the context.
///
/// All stores of the process with one UUID share a table, so that their IDs are equal. The text of a reference object
/// identifies it, as it does in URIs. The mutex guards everything.
package final class ReferenceTable: Sendable {
    private struct Name: Hashable {
        let entity: String
        let text: String
    }

    /// Sendable: reference objects are never changed.
    private struct Reference: @unchecked Sendable {
        let object: NSObject
        let text: String
        let entity: String
    }

    private struct State {
        var keys: [Name: Int64] = [:]
        /// The reference objects and their texts by key; the first key is 1.
        var references: [Reference] = []
    }

    private struct WeakTable: @unchecked Sendable { weak var table: ReferenceTable? }

    private static let tables = Locked<[String: WeakTable]>([:])

    private let state = Locked(State())

    /// The table of the stores with a UUID.
    package static func table(uuid: String) -> ReferenceTable {
        tables.withLock { tables in
            if let table = tables[uuid]?.table { return table }
            let table = ReferenceTable()
            tables[uuid] = WeakTable(table: table)
            return table
        }
    }

    /// The key of a reference object among the objects of an entity.
    package func key(of reference: Any, entity: String) -> Int64 {
        let text = "\(reference)"
        let reference = Reference(object: Self.object(reference), text: text, entity: entity)
        return state.withLock { state in
            let name = Name(entity: entity, text: text)
            if let key = state.keys[name] { return key }
            state.references.append(reference)
            let key = Int64(state.references.count)
            state.keys[name] = key
            return key
        }
    }

    /// The key of the reference object with a text in a URI. A number is a number, everything else a string.
    package func key(ofText text: String, entity: String) -> Int64 {
        if let number = Int64(text) { return key(of: NSNumber(value: number), entity: entity) }
        return key(of: text, entity: entity)
    }

    /// The reference object of a key.
    package func reference(of key: Int64) -> Any? {
        guard let object = entry(key)?.object else { return nil }
        if let text = object as? NSString { return text as String }
        return object
    }

    /// The entity of the object with a key.
    package func entity(of key: Int64) -> String? { entry(key)?.entity }

    /// The text of a key in a URI.
    package func text(of key: Int64) -> String? { entry(key)?.text }

    private func entry(_ key: Int64) -> Reference? {
        state.withLock { state in
            key > 0 && key <= state.references.count ? state.references[Int(key) - 1] : nil
        }
    }

    private static func object(_ reference: Any) -> NSObject {
        switch reference {
        case let object as NSObject: object
        case let text as String: NSString(string: text)
        case let uuid as UUID: uuid as NSUUID
        case let url as URL: url as NSURL
        default: reference as AnyObject as? NSObject ?? NSString(string: "\(reference)")
        }
    }
}
