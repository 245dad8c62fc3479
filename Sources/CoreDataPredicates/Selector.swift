/// The name of a method, for example for `NSSortDescriptor(key:ascending:selector:)`.
///
/// On Linux the compiler has no `#selector`. `NSSelectorFromString("localizedCaseInsensitiveCompare:")` compiles on
/// every platform. A selector is a value and may be used on any thread.
public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
    package let name: String

    /// Creates the selector of the given name.
    ///
    /// - Parameter name: the name with its colons, for example `"compare:"`.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates the selector of the given name from a string literal.
    ///
    /// - Parameter name: the name with its colons.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// The selector's name.
    public var description: String { name }
}

/// The selector of the given name.
///
/// - Parameter aSelectorName: the name with its colons, for example `"compare:"`.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector {
    Selector(aSelectorName)
}

/// The name of the given selector.
///
/// - Parameter aSelector: the selector.
public func NSStringFromSelector(_ aSelector: Selector) -> String {
    aSelector.name
}
