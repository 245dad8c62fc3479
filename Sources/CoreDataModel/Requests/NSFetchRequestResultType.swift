/// What a fetch request returns.
public struct NSFetchRequestResultType: OptionSet, RawRepresentable, Sendable {
    /// The value as Apple's headers have it.
    public let rawValue: UInt

    /// Makes the type from its value in Apple's headers.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static var managedObjectResultType: NSFetchRequestResultType { [] }
    /// IDs of managed objects.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of values.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// The number of objects.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// What a fetch request can return: managed objects, object IDs, dictionaries and numbers.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
