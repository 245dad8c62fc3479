// SPDX-License-Identifier: Apache-2.0

/// Something in a store's file that isn't as Core Data writes it.
package struct StoreDefect: Sendable {
    package enum Kind: String, Sendable {
        /// The engine finds the database damaged.
        case damagedDatabase
        /// A table or a column of the model is missing.
        case missingTable, missingColumn
        /// `Z_PRIMARYKEY` doesn't have the entities of the model, or a row has a greater key than the highest one
        /// there.
        case entityTable, lowHighestKey
        /// Rows whose entity the model doesn't have in their table.
        case unknownEntity
        /// Rows that refer to a row which doesn't exist.
        case danglingReference
        /// Rows that call the row to which they refer by another entity.
        case wrongEntity
        /// Rows to which the other side of a one-to-one relationship doesn't refer.
        case oneSidedReference
        /// A join table that doesn't have its key, so that a member may be there twice.
        case missingKey
        /// Objects that are members of a relationship more than once.
        case repeatedMember
        /// Rows without a value that the model requires.
        case missingValue
        /// Values of another storage class than the attribute's, or in a file that is missing.
        case unreadableValue
        /// Files of external data to which no row refers.
        case unusedFile
        /// A trigger or a view of the file that the model doesn't have.
        case foreignTrigger, foreignView
        /// The model in the store is not the one that its metadata describes.
        case modelCache
    }

    package let kind: Kind
    package let entityName: String?
    package let propertyName: String?
    /// The number of rows, or of files.
    package let count: Int
    /// The first primary keys.
    package let primaryKeys: [Int64]
    /// The defect as a sentence without the entity and the property.
    let finding: String

    package init(
        _ kind: Kind, entity entityName: String? = nil, property propertyName: String? = nil, count: Int = 1,
        primaryKeys: [Int64] = [], _ finding: String
    ) {
        self.kind = kind
        self.entityName = entityName
        self.propertyName = propertyName
        self.count = count
        self.primaryKeys = primaryKeys
        self.finding = finding
    }

    /// "Book.author: 2 objects refer to an Author that doesn't exist (Z_PK 1, 7)."
    package var text: String {
        let subject = [entityName, propertyName].compactMap { $0 }.joined(separator: ".")
        let keys =
            primaryKeys.isEmpty
            ? ""
            : " (Z_PK \(primaryKeys.map(String.init).joined(separator: ", "))\(count > primaryKeys.count ? ", …" : ""))"
        return "\(subject.isEmpty ? "" : subject + ": ")\(finding)\(keys)."
    }
}
