// SPDX-License-Identifier: Apache-2.0

/// An attribute of an entity: a value of a simple type.
///
/// ```swift
/// let rating = NSAttributeDescription()
/// rating.name = "rating"
/// rating.type = .integer16
/// rating.defaultValue = 0
/// rating.setValidationPredicates(
///     [NSPredicate(format: "SELF <= 5")], withValidationWarnings: ["A rating is at most 5."])
///
/// let song = NSEntityDescription()
/// song.name = "Song"
/// song.properties = [rating]
/// ```
///
/// A SQL store represents an attribute by a column; a transient attribute exists in memory only. Validation checks the
/// type, `isOptional` and the validation predicates on save: a violation makes `save()` throw a validation error (1550
/// to 1680).
///
/// A setter stops the program when the model is in use by a coordinator. Until then an attribute belongs to one thread.
/// A coordinator stops the program for a model in which the default value of an attribute has another class than its
/// type requires.
nonisolated open class NSAttributeDescription: NSPropertyDescription {
    var valueClassNameStorage: String?

    /// Creates an attribute of undefined type.
    public override init() { super.init() }

    /// The type of the values. The default is undefined, which is valid for transient attributes only.
    open var attributeType: NSAttributeType = .undefinedAttributeType {
        willSet { willModify("attributeType") }
    }

    /// The name of the class of the values. The type determines it, except for transformable attributes.
    open var attributeValueClassName: String? {
        get { valueClassNameStorage ?? attributeType.defaultValueClassName }
        set {
            willModify("attributeValueClassName")
            valueClassNameStorage = newValue
        }
    }

    /// The value class that was set; nil if the type determines it.
    package final var explicitValueClassName: String? { valueClassNameStorage }

    /// The value class that was set, if it differs from the class that the type determines.
    final var nondefaultValueClassName: String? {
        valueClassNameStorage == attributeType.defaultValueClassName ? nil : valueClassNameStorage
    }

    /// The value of a new object. Nil by default, also for numbers.
    open var defaultValue: Any? {
        willSet { willModify("defaultValue") }
    }

    /// The name of the value transformer of a transformable attribute; nil for the transformer that uses secure
    /// archives.
    ///
    /// ```swift
    /// let color = NSAttributeDescription()
    /// color.name = "color"
    /// color.attributeType = .transformableAttributeType
    /// color.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    /// ```
    open var valueTransformerName: String? {
        willSet { willModify("valueTransformerName") }
    }

    /// Whether the store can save large data in separate files beside the store. False by default.
    open var allowsExternalBinaryDataStorage: Bool = false {
        willSet { willModify("allowsExternalBinaryDataStorage") }
    }

    /// Whether the tombstone of a deleted object in the persistent history contains the value. False by default.
    open var preservesValueInHistoryOnDeletion: Bool = false {
        willSet { willModify("preservesValueInHistoryOnDeletion") }
    }

    /// Whether CloudKit encrypts the value on Apple's platforms. Stored in model files; has no effect here.
    open var allowsCloudEncryption: Bool = false {
        willSet { willModify("allowsCloudEncryption") }
    }

    /// A hash of 32 bytes that changes with every change that affects stores: name, type, optionality, storage options.
    open override var versionHash: Data { super.versionHash }

    override func makeEmptyCopy() -> NSPropertyDescription { NSAttributeDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.attributeType = attributeType
        copy.valueClassNameStorage = valueClassNameStorage
        copy.defaultValue = defaultValue
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSAttributeDescription else { return false }
        return super.hasEqualState(to: other) && attributeType == other.attributeType
            && attributeValueClassName == other.attributeValueClassName
            && valuesAreEqual(defaultValue, other.defaultValue)
            && valueTransformerName == other.valueTransformerName
            && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
            && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
            && allowsCloudEncryption == other.allowsCloudEncryption
    }
}
