/// The names of sections: values at a key path, as text.
struct SectionName {
    let keyPath: String
    private let keys: [String]

    init(_ keyPath: String) {
        self.keyPath = keyPath
        keys = KeyPathWalk.split(keyPath)
    }

    func name(of result: Any) -> String {
        guard let value = KeyPathWalk.value(of: result, path: keys[...]) else { return "" }
        switch value {
        case let text as String: return text
        case let number as NSNumber: return number.stringValue
        case is NSSet, is NSOrderedSet, is NSArray:
            programmingError(
                "The section name key path '\(keyPath)' of an NSFetchedResultsController leads to several values.",
                remedy: "Give one that leads to an attribute, along to-one relationships alone.")
        default: return String(describing: value)
        }
    }

    /// Names are compared byte by byte, as the strings of a store are.
    static func isSame(_ one: String, _ two: String) -> Bool { one.utf8.elementsEqual(two.utf8) }
}
