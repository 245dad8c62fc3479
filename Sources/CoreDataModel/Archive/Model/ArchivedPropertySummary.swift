// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates

/// The bits under the key `_P` of an archived property. They repeat the values of other keys.
enum ArchivedPropertySummary {
    /// The bit for the external record file. No known archive has it; it is the only gap in the sequence of bits.
    static let externalRecord = 0x200
    /// The key for the external record flag. No known archive has it; the name follows the attribute of source models.
    static let externalRecordKey = "NSIsStoredInTruthFile"

    static func bits(of property: NSPropertyDescription) -> Int {
        var bits = 0x001
        func set(_ bit: Int, _ condition: Bool) { if condition { bits |= bit } }
        set(0x002, property.isOptional)
        set(0x004, property.isReadOnly)
        set(0x008, property.isTransient)
        set(0x010, property.validationPredicates.isEmpty)
        set(0x020, property.validationWarnings.isEmpty)
        set(0x040, property.userInfo?.isEmpty ?? true)
        set(0x080, property.versionHashModifier == nil)
        set(0x100, property.isIndexedBySpotlight)
        set(externalRecord, property.storesInExternalRecord)
        set(0x400, (property as? NSRelationshipDescription)?.isOrdered ?? false)
        set(0x800, (property as? NSAttributeDescription)?.allowsCloudEncryption ?? false)
        return bits
    }
}

/// The bits of `NSFlagsKey` of an attribute.
enum ArchivedAttributeFlags {
    static let externalStorage = 4
    static let preservedAfterDeletion = 16

    static func bits(of attribute: NSAttributeDescription) -> Int {
        (attribute.allowsExternalBinaryDataStorage ? externalStorage : 0)
            | (attribute.preservesValueInHistoryOnDeletion ? preservedAfterDeletion : 0)
    }
}
