import OpenCoreData

/// Leaves transformable values as the bytes that are in the store: the program that knows their classes isn't here,
/// and the bytes of a stranger's archive are not to be turned into objects.
final class StoredBytesTransformer: ValueTransformer, @unchecked Sendable {
    private static let name = NSValueTransformerName("CoreDataCommandStoredBytes")

    override class func allowsReverseTransformation() -> Bool { true }
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }

    /// Has every transformable attribute of a model use this transformer. Version hashes don't tell transformers apart,
    /// so that the model still fits its store.
    static func use(in model: NSManagedObjectModel) {
        ValueTransformer.setValueTransformer(StoredBytesTransformer(), forName: name)
        for attribute in model.entities.flatMap({ $0.attributesByName.values })
        where attribute.attributeType == .transformableAttributeType {
            attribute.valueTransformerName = name.rawValue
        }
    }
}
