import CoreDataPredicates

/// The word `_P` of an archived property, which says in bits what the other keys say.
enum ArchivedPropertySummary {
    /// The bit of "stored in the external record file", the one gap in an otherwise full sequence: never seen.
    static let externalRecord = 0x200
    /// No archive at hand shows the key of that flag; this one follows the attribute of source models.
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

/// The bits of an attribute's `NSFlagsKey`.
enum ArchivedAttributeFlags {
    static let externalStorage = 4
    static let preservedAfterDeletion = 16

    static func bits(of attribute: NSAttributeDescription) -> Int {
        (attribute.allowsExternalBinaryDataStorage ? externalStorage : 0)
            | (attribute.preservesValueInHistoryOnDeletion ? preservedAfterDeletion : 0)
    }
}
