/// A type whose values can be read by key, so that predicates, expressions and sort descriptors work on it.
///
/// **Extension**: on Apple's platforms every `NSObject` is key-value coding compliant through the Objective-C runtime.
/// Here a type says so itself. Managed objects, dictionaries and collections take part as they are.
///
/// ```swift
/// extension Point: KeyValueCoding {
///     func value(forKey key: String) -> Any? {
///         switch key {
///         case "x": x
///         case "y": y
///         default: nil
///         }
///     }
/// }
/// ```
public protocol KeyValueCoding {
    /// The value for a single key, nil if there is none. What an unknown key does is the type's own affair.
    func value(forKey key: String) -> Any?

    /// The value at the end of a path of keys with dots between, which may hold collection operators such as `@count`.
    func value(forKeyPath keyPath: String) -> Any?
}

extension KeyValueCoding {
    /// Walks the path key by key, mapping over collections on the way.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathWalk.value(of: self, path: KeyPathWalk.split(keyPath)[...])
    }
}
