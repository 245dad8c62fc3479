/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Turns true into false and false into true.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// True for nil.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// True for anything but nil.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    /// Turns archived data into objects of plain classes and back.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
