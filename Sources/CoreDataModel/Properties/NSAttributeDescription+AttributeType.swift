// SPDX-License-Identifier: Apache-2.0

extension NSAttributeDescription {
    /// The type of an attribute under its Swift name. The raw values are values of `NSAttributeType`.
    public struct AttributeType: Hashable, RawRepresentable, Sendable {
        public typealias RawValue = NSAttributeType

        /// The type as `NSAttributeType`.
        public var rawValue: NSAttributeType

        /// Creates the type from its `NSAttributeType`.
        ///
        /// - Parameter rawValue: the type.
        public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

        /// No type. Only transient attributes can have it.
        public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
        /// A signed integer of 16 bits.
        public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
        /// A signed integer of 32 bits.
        public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
        /// A signed integer of 64 bits.
        public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
        /// An `NSDecimalNumber`.
        public static let decimal = AttributeType(rawValue: .decimalAttributeType)
        /// A `Double`.
        public static let double = AttributeType(rawValue: .doubleAttributeType)
        /// A `Float`.
        public static let float = AttributeType(rawValue: .floatAttributeType)
        /// A `String`.
        public static let string = AttributeType(rawValue: .stringAttributeType)
        /// A `Bool`.
        public static let boolean = AttributeType(rawValue: .booleanAttributeType)
        /// A `Date`.
        public static let date = AttributeType(rawValue: .dateAttributeType)
        /// `Data`.
        public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
        /// A `UUID`.
        public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
        /// A `URL`.
        public static let uri = AttributeType(rawValue: .URIAttributeType)
        /// Any object that a value transformer converts to data.
        public static let transformable = AttributeType(rawValue: .transformableAttributeType)
        /// An object ID. Only expression descriptions can have it, as their result type.
        public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
        /// A composite of other attributes.
        public static let composite = AttributeType(rawValue: .compositeAttributeType)
    }

    /// The type of the attribute: `attributeType` under its Swift name.
    public var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }
}
