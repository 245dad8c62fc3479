/// The name of a method, as `NSSortDescriptor(key:ascending:selector:)` takes it.
///
/// `#selector` can't be written on Linux; `NSSelectorFromString("localizedCaseInsensitiveCompare:")` compiles on every
/// platform. The type is a value and may be used from any thread.
public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
    package let name: String

    /// Creates the selector of the given name.
    public init(_ name: String) {
        self.name = name
    }

    /// Creates the selector of the given name.
    public init(stringLiteral name: String) {
        self.name = name
    }

    /// The selector's name.
    public var description: String { name }
}

/// The selector of the given name.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector {
    Selector(aSelectorName)
}

/// The name of the given selector.
public func NSStringFromSelector(_ aSelector: Selector) -> String {
    aSelector.name
}
