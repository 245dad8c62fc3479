extension NSAttributeType {
    /// Whether a value may be one of an attribute of this type. Numbers of every kind are numbers; values of
    /// transformable, composite and undefined attributes may be anything.
    package func accepts(_ value: Any) -> Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType,
            .booleanAttributeType, .decimalAttributeType:
            return value is NSNumber || value is Decimal
        case .stringAttributeType: return value is String
        case .dateAttributeType: return value is Date
        case .binaryDataAttributeType: return value is Data
        case .UUIDAttributeType: return value is UUID
        case .URIAttributeType: return value is URL
        case .transformableAttributeType, .compositeAttributeType, .undefinedAttributeType: return true
        // An object's ID is known once there are objects, never to a model.
        case .objectIDAttributeType: return false
        }
    }
}
