/// An attribute of an entity: a value of a simple type.
open class NSAttributeDescription: NSPropertyDescription {
    var attributeTypeStorage: NSAttributeType = .undefinedAttributeType
    var valueClassNameStorage: String?
    var defaultValueStorage: Any?
    var valueTransformerNameStorage: String?
    var allowsExternalStorage = false
    var preservesValueStorage = false
    var allowsCloudEncryptionStorage = false

    /// Makes an attribute of undefined type.
    public override init() { super.init() }

    /// The type of the values. Undefined by default, which only a transient attribute may stay.
    open var attributeType: NSAttributeType {
        get { attributeTypeStorage }
        set {
            willModify("attributeType")
            attributeTypeStorage = newValue
        }
    }

    /// The class of the values: implied by the type, or named for a transformable attribute.
    open var attributeValueClassName: String? {
        get { valueClassNameStorage ?? attributeTypeStorage.defaultValueClassName }
        set {
            willModify("attributeValueClassName")
            valueClassNameStorage = newValue
        }
    }

    /// The value class as it was set; nil where the type implies it.
    package final var explicitValueClassName: String? { valueClassNameStorage }

    /// The value class as it was set, where it isn't the one that the type implies.
    final var unimpliedValueClassName: String? {
        valueClassNameStorage == attributeTypeStorage.defaultValueClassName ? nil : valueClassNameStorage
    }

    /// The value of a new object; nil by default, also for numbers.
    open var defaultValue: Any? {
        get { defaultValueStorage }
        set {
            willModify("defaultValue")
            defaultValueStorage = newValue
        }
    }

    /// The name of the value transformer of a transformable attribute; nil for the secure archiving one.
    open var valueTransformerName: String? {
        get { valueTransformerNameStorage }
        set {
            willModify("valueTransformerName")
            valueTransformerNameStorage = newValue
        }
    }

    /// Whether the store may keep large data in files of their own beside it.
    open var allowsExternalBinaryDataStorage: Bool {
        get { allowsExternalStorage }
        set {
            willModify("allowsExternalBinaryDataStorage")
            allowsExternalStorage = newValue
        }
    }

    /// Whether the history keeps the value of a deleted object in its tombstone.
    open var preservesValueInHistoryOnDeletion: Bool {
        get { preservesValueStorage }
        set {
            willModify("preservesValueInHistoryOnDeletion")
            preservesValueStorage = newValue
        }
    }

    /// Whether CloudKit encrypts the value on Apple's platforms: kept in the model files, without effect here.
    open var allowsCloudEncryption: Bool {
        get { allowsCloudEncryptionStorage }
        set {
            willModify("allowsCloudEncryption")
            allowsCloudEncryptionStorage = newValue
        }
    }

    /// 32 bytes that change when the definition changes in a way that stores depend on: name, type, optionality,
    /// storage options.
    open override var versionHash: Data { super.versionHash }

    override func makeEmptyCopy() -> NSPropertyDescription { NSAttributeDescription() }

    override func copyState(into copy: NSPropertyDescription) {
        super.copyState(into: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.attributeTypeStorage = attributeTypeStorage
        copy.valueClassNameStorage = valueClassNameStorage
        copy.defaultValueStorage = defaultValueStorage
        copy.valueTransformerNameStorage = valueTransformerNameStorage
        copy.allowsExternalStorage = allowsExternalStorage
        copy.preservesValueStorage = preservesValueStorage
        copy.allowsCloudEncryptionStorage = allowsCloudEncryptionStorage
    }

    override func hasEqualState(to other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSAttributeDescription else { return false }
        return super.hasEqualState(to: other) && attributeTypeStorage == other.attributeTypeStorage
            && attributeValueClassName == other.attributeValueClassName
            && valuesAreEqual(defaultValueStorage, other.defaultValueStorage)
            && valueTransformerNameStorage == other.valueTransformerNameStorage
            && allowsExternalStorage == other.allowsExternalStorage
            && preservesValueStorage == other.preservesValueStorage
            && allowsCloudEncryptionStorage == other.allowsCloudEncryptionStorage
    }
}
