// SPDX-License-Identifier: Apache-2.0

/// The name of a method, for example for `NSSortDescriptor(key:ascending:selector:)`.
///
/// On Linux the compiler has no `#selector`. `NSSelectorFromString("localizedCaseInsensitiveCompare:")` compiles on
/// every platform. The build plugin turns `#selector` into a selector that also calls the method, which
/// `NotificationCenter` and ``UndoManager`` need. A selector is a value and may be used on any thread.
public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
    package let name: String
    /// Calls the method with the target and the argument. Selectors with the same name are equal all the same.
    let method: (@Sendable (AnyObject, Any?) -> Void)?

    /// Creates the selector of the given name.
    ///
    /// - Parameter name: the name with its colons, for example `"compare:"`.
    public init(_ name: String) {
        self.name = name
        method = nil
    }

    /// Creates the selector of the given name from a string literal.
    ///
    /// - Parameter name: the name with its colons.
    public init(stringLiteral name: String) { self.init(name) }

    /// **Extension.** Creates a selector that calls a method without arguments.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - method: calls the method on its argument.
    public init<Target: AnyObject>(_ name: String, _ method: @escaping @Sendable (Target) -> Void) {
        self.name = name
        self.method = { target, _ in method(Self.target(target, name)) }
    }

    /// **Extension.** Creates a selector that calls a method with one argument.
    ///
    /// - Parameters:
    ///   - name: the name with its colon.
    ///   - method: calls the method on its first argument, with its second argument.
    public init<Target: AnyObject, Argument>(
        _ name: String, _ method: @escaping @Sendable (Target, Argument) -> Void
    ) {
        self.name = name
        self.method = { target, argument in
            guard let converted = Self.argument(argument, as: Argument.self) else {
                programmingError(
                    """
                    The method \(name) of \(Target.self) takes a \(Argument.self), and is called with \
                    \(argument.map { "a value of type \(type(of: $0))" } ?? "nil"). Correct its parameter.
                    """)
            }
            method(Self.target(target, name), converted)
        }
    }

    /// The selector's name.
    public var description: String { name }

    public static func == (left: Selector, right: Selector) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    private static func target<Target: AnyObject>(_ object: AnyObject, _ name: String) -> Target {
        guard let target = object as? Target else {
            programmingError(
                "The method \(name) is one of \(Target.self), and \(type(of: object)) is no subclass of it.")
        }
        return target
    }

    private static func argument<Argument>(_ value: Any?, as type: Argument.Type) -> Argument? {
        if type == NSNotification.self, let notification = value as? Notification {
            let object = NSNotification(
                name: notification.name, object: notification.object, userInfo: notification.userInfo)
            return object as? Argument
        }
        return value as? Argument
    }
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
