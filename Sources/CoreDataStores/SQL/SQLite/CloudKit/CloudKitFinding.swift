// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// Rows of CloudKit's mirror of a store that aren't as Apple's framework keeps them, or that wait for it.
package struct CloudKitFinding: Sendable {
    package enum Kind: String, Sendable {
        /// Records whose entity or key is no number.
        case unreadableRecord
        /// Records whose entity the model doesn't have.
        case recordOfUnknownEntity
        /// Records whose object the store doesn't have.
        case recordWithoutObject
        /// Records of an object that has another one.
        case repeatedRecord
        /// Records with the name of another record of their zone.
        case repeatedRecordName
        /// Rows that refer to a row of another table of the mirror that doesn't exist.
        case danglingReference
        /// Pending relationships that name neither an import nor a record.
        case emptyPendingRelationship
        /// Assets of no record, relationship or zone.
        case unusedAsset
        /// Zones other than the usual one to which nothing refers.
        case unusedZone
        /// Entries of the mirror's state without a key, or with the key of another entry.
        case repeatedEntry
        /// Tables with a greater key than the highest one in `Z_PRIMARYKEY`.
        case lowHighestKey
        /// The tables of a mirror that has no record and no zone.
        case emptyMirror
        /// Something that has the name of a table of the mirror, and isn't one.
        case foreignTable
        /// Objects that have no record yet.
        case objectWithoutRecord
        /// Records that have no name yet.
        case unnamedRecord
        /// Records of deleted objects that CloudKit doesn't know to be deleted yet.
        case pendingDeletion
    }

    /// One of the rows.
    package struct Example: Sendable {
        /// The number of the row in its table; the key of an object.
        package let row: Int64
        /// The number of the entity of the object, as the row has it.
        package var entityNumber: Int64?
        /// The name of the entity; nil for a number that no entity of the model has.
        package var entity: String?
        package var primaryKey: Int64?
        package var recordName: String?
    }

    package let kind: Kind
    /// The table with the rows.
    package let table: String
    package let count: Int
    /// The first rows.
    package let examples: [Example]
    /// The column, or the reason, that the text names.
    let detail: String

    /// Whether it is a mistake, which a repair mends. Others wait for Apple's framework.
    var isProblem: Bool { kind.isProblem }
    /// Whether a repair can mend it.
    var isMendable: Bool { isProblem && kind != .foreignTable }

    /// "2 records have no object: Note 4 (record 5C0A), Note 9 (record 77F1)."
    package var text: String {
        let list = examples.map(\.text).joined(separator: ", ") + (count > examples.count ? ", \u{2026}" : "")
        return finding + (examples.isEmpty ? "" : ": \(list)") + "."
    }

    private var finding: String {
        let isOne = count == 1
        let (have, refer) = (isOne ? "has" : "have", isOne ? "refers" : "refer")
        let records = Wording.count(count, "record")
        switch kind {
        case .unreadableRecord:
            return "\(records) \(have) no number for \(isOne ? "its" : "their") entity or object"
        case .recordOfUnknownEntity:
            return "\(records) \(isOne ? "is" : "are") of an entity that the model doesn\u{2019}t have"
        case .recordWithoutObject: return "\(records) \(have) no object"
        case .repeatedRecord:
            return "\(records) \(isOne ? "is of an object" : "are of objects") with another record"
        case .repeatedRecordName: return "\(records) \(have) the name of another record in the same zone"
        case .danglingReference:
            return "\(Wording.count(count, "row")) of \(table) \(refer) to a row that doesn\u{2019}t exist (\(detail))"
        case .emptyPendingRelationship:
            return "\(Wording.count(count, "row")) of \(table) \(isOne ? "names" : "name") no import and no record"
        case .unusedAsset:
            return "nothing refers to \(Wording.count(count, "row")) of \(table)"
        case .unusedZone: return "\(Wording.count(count, "zone")) \(have) no records"
        case .repeatedEntry:
            return "\(Wording.count(count, "row")) of \(table) \(have) no key, or the key of another row"
        case .lowHighestKey:
            return "the highest key of \(table) is greater than the one in Z_PRIMARYKEY (\(detail))"
        case .emptyMirror: return "the mirror has no records and no zones, only \(Wording.count(count, "table"))"
        case .foreignTable: return "\(table) \(detail)"
        case .objectWithoutRecord: return "\(Wording.count(count, "object")) of \(detail) \(have) no record"
        case .unnamedRecord: return "\(records) \(have) no name"
        case .pendingDeletion: return "\(records) of deleted objects \(isOne ? "waits" : "wait") for CloudKit"
        }
    }

    /// The meaning of the finding, and the work of a repair, in sentences.
    package var meaning: String { kind.meaning }
}

extension CloudKitFinding.Example {
    /// The most characters of a name. A name in CloudKit has 255 at most; a file may have any.
    private static let longestName = 80

    /// "Note 4 (record 5C0A)".
    var text: String {
        var text = "row \(row)"
        if let entityNumber, let primaryKey {
            text = entity.map { "\($0) \(primaryKey)" } ?? "entity \(entityNumber), key \(primaryKey)"
        }
        guard let recordName else { return text }
        let name = recordName.prefix(Self.longestName)
        return "\(text) (record \(name)\(name.endIndex < recordName.endIndex ? "\u{2026}" : ""))"
    }
}

extension CloudKitFinding.Kind {
    fileprivate var isProblem: Bool { ![.objectWithoutRecord, .unnamedRecord, .pendingDeletion].contains(self) }

    fileprivate var meaning: String {
        switch self {
        case .unreadableRecord:
            "Such a row names no object. A repair removes it."
        case .recordOfUnknownEntity:
            """
            Another version of the model had the entity, or numbered the entities in another way. A migration by \
            Apple\u{2019}s framework numbers them anew, and may fail with \u{201c}UNIQUE constraint failed: \
            ANSCKRECORDMETADATA.ZENTITYID, ANSCKRECORDMETADATA.ZENTITYPK\u{201d}. A repair removes the rows. The \
            records in CloudKit stay.
            """
        case .recordWithoutObject:
            """
            The object is gone, and no deletion of it waits for CloudKit: it was deleted without the mirror\u{2019}s \
            knowledge. A repair removes the rows. The records in CloudKit stay, and may come back as objects.
            """
        case .repeatedRecord:
            """
            An object has one record. A migration by Apple\u{2019}s framework may fail with \u{201c}UNIQUE constraint \
            failed: ANSCKRECORDMETADATA.ZENTITYID, ANSCKRECORDMETADATA.ZENTITYPK\u{201d}. A repair keeps the record \
            with the number of the object\u{2019}s entity and with a name, the oldest one of several. The other \
            records in CloudKit stay.
            """
        case .repeatedRecordName:
            """
            A record is that of one object. A unique index of Apple\u{2019}s framework (ZCKRECORDNAME, ZRECORDZONE) \
            doesn\u{2019}t allow more, so that it can\u{2019}t migrate or open the mirror. A repair keeps the oldest \
            row. The other objects stay, without a record.
            """
        case .danglingReference:
            """
            The row that is missing was removed by other means than Apple\u{2019}s framework. A repair clears the \
            reference of a record or a zone, or gives it the only zone or database that there is; it removes rows of \
            other tables.
            """
        case .emptyPendingRelationship:
            "An import would never end for such a row. A repair removes it."
        case .unusedAsset: "They are leftovers of rows that are gone. A repair removes them."
        case .unusedZone:
            """
            They are leftovers of zones whose records are gone, for instance of a share that has ended. A repair \
            removes the rows; Apple\u{2019}s framework makes them again for zones that exist in CloudKit.
            """
        case .repeatedEntry:
            """
            Apple\u{2019}s framework expects one row for each key of the mirror\u{2019}s state. A repair keeps the row \
            that was changed most often, the oldest one of several.
            """
        case .lowHighestKey:
            """
            The next row would get a key that is in use, and could not be saved (\u{201c}UNIQUE constraint \
            failed\u{201d}). A repair sets the highest key.
            """
        case .emptyMirror:
            """
            The store isn\u{2019}t mirrored any more, or its mirroring has never begun. A repair removes the tables; \
            Apple\u{2019}s framework makes them again if it mirrors the store.
            """
        case .foreignTable:
            """
            It isn\u{2019}t as Apple\u{2019}s framework makes it. It is not examined, and a repair can\u{2019}t mend \
            it: restore the store from a backup.
            """
        case .objectWithoutRecord:
            """
            They wait for their upload. Objects that were saved without a persistent history are never uploaded: \
            change and save them again.
            """
        case .unnamedRecord: "They wait for their upload."
        case .pendingDeletion:
            "Without these rows the records would stay in CloudKit, and come back as objects. A repair keeps them."
        }
    }
}

/// The findings about CloudKit's mirror of a store.
package struct CloudKitReport: Sendable {
    /// Whether the store has tables of a mirror.
    package var isMirrored = false
    /// Whether the records were compared with the objects: not without the model that made the store.
    package var comparesObjects = false
    package var recordCount: Int64 = 0
    package var zoneCount: Int64 = 0
    var findings: [CloudKitFinding] = []

    package var problems: [CloudKitFinding] { findings.filter(\.isProblem) }
    /// The findings that are no mistakes.
    package var notes: [CloudKitFinding] { findings.filter { !$0.isProblem } }
}
