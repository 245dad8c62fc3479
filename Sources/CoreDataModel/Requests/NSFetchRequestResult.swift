// SPDX-License-Identifier: Apache-2.0

/// The kind of the results of a fetch request.
public struct NSFetchRequestResultType: OptionSet, RawRepresentable, Sendable {
    /// The value in Apple's headers.
    public let rawValue: UInt

    /// Creates the type from its value in Apple's headers.
    ///
    /// - Parameter rawValue: the value.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static var managedObjectResultType: NSFetchRequestResultType { [] }
    /// Object IDs.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// Dictionaries of values.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// The number of objects.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// The types of results of a fetch request: managed objects, object IDs, dictionaries and numbers.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
