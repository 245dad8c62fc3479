// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// A transaction of a store's history, for output.
struct HistoryDocument: Encodable {
    struct Change: Encodable {
        let change: Int64
        let type: String
        let entity: String
        let object: String
        /// The changed properties of an update.
        let properties: [String]?
        /// The values that a deleted object has left.
        let tombstone: [String: JSONCell]?

        init(_ change: NSPersistentHistoryChange) {
            let id = change.changedObjectID
            self.change = change.changeID
            type = Self.verb(change.changeType)
            entity = id.entity.name ?? ""
            object = ObjectIDText(id).short
            properties = change.updatedProperties?.map(\.name).sorted()
            tombstone = change.tombstone.map { values in
                Dictionary(
                    values.compactMap { key, value in
                        (key as? String).map { ($0, JSONCell(value: Self.cell(value, $0, id.entity))) }
                    },
                    uniquingKeysWith: { first, _ in first })
            }
        }

        private static func cell(_ value: Any, _ key: String, _ entity: NSEntityDescription) -> CellValue {
            entity.attributesByName[key].map { CellValue(attribute: $0, value: value) } ?? CellValue(value: value)
        }

        private static func verb(_ type: NSPersistentHistoryChangeType) -> String {
            switch type {
            case .insert: "insert"
            case .update: "update"
            case .delete: "delete"
            }
        }

        /// The change in one line.
        var line: String {
            var line = "\(type)  \(object)"
            if let properties, !properties.isEmpty { line += ": \(properties.joined(separator: ", "))" }
            let values = (tombstone ?? [:]).sorted { $0.key < $1.key }.map { name, cell in
                "\(name): \(ObjectLabel.cut(cell.value.text, to: 60))"
            }
            if !values.isEmpty { line += " (\(values.joined(separator: ", ")))" }
            return line
        }
    }

    let transaction: Int64
    let timestamp: String
    let author: String?
    let context: String?
    let bundle: String
    let process: String
    /// Nil without changes.
    var changes: [Change]?

    init(_ transaction: NSPersistentHistoryTransaction) {
        self.transaction = transaction.transactionNumber
        timestamp = DateText.text(of: transaction.timestamp)
        author = transaction.author
        context = transaction.contextName
        bundle = transaction.bundleID
        process = transaction.processID
    }

    /// The transaction in one line.
    var line: String {
        let people = [author.map { "author \($0)" }, context.map { "context \($0)" }].compactMap { $0 }
        // A program without a bundle has one name for both.
        let programs = bundle == process ? [bundle] : [bundle, process]
        let rest = people + programs.filter { !$0.isEmpty }
        return "Transaction \(transaction)  \(timestamp)  \(rest.joined(separator: ", "))"
    }
}
