/// A class as a keyed archive names it, with its ancestors.
package struct KeyedArchiveClass: Sendable, Hashable {
    package let name: String
    /// The class itself first, `NSObject` last.
    package let chain: [String]

    package init(_ name: String, _ ancestors: String...) {
        self.name = name
        chain = [name] + ancestors + ["NSObject"]
    }

    package static let array = KeyedArchiveClass("NSArray")
    package static let mutableArray = KeyedArchiveClass("NSMutableArray", "NSArray")
    package static let set = KeyedArchiveClass("NSSet")
    package static let orderedSet = KeyedArchiveClass("NSOrderedSet")
    package static let dictionary = KeyedArchiveClass("NSDictionary")
    package static let mutableDictionary = KeyedArchiveClass("NSMutableDictionary", "NSDictionary")
    package static let mutableString = KeyedArchiveClass("NSMutableString", "NSString")
    package static let date = KeyedArchiveClass("NSDate")
    package static let uuid = KeyedArchiveClass("NSUUID")
    package static let url = KeyedArchiveClass("NSURL")
    package static let nullObject = KeyedArchiveClass("NSNull")
    package static let decimalNumber = KeyedArchiveClass(
        "NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue")
}
