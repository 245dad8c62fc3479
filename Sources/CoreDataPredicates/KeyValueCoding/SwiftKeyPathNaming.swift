/// A class that knows the keys of its Swift key paths, so that `\Song.title` may stand where a key does.
///
/// **Extension**: on Apple's platforms the compiler writes the keys of `@objc` properties into key paths. Here managed
/// objects answer by themselves; another class that adopts `KeyValueCoding` says so for its own key paths:
///
/// ```swift
/// extension Point: SwiftKeyPathNaming {
///     static func keyValueCodingKey(for keyPath: AnyKeyPath) -> String? {
///         switch keyPath {
///         case \Point.x: "x"
///         case \Point.y: "y"
///         default: nil
///         }
///     }
/// }
/// ```
public protocol SwiftKeyPathNaming {
    /// The key, or the keys with dots between, of a key path that begins at this type; nil if it has none. May be
    /// called on any thread.
    static func keyValueCodingKey(for keyPath: AnyKeyPath) -> String?

    /// Why a key path has no key, for the message that stops the program.
    static func missingKeyReason(for keyPath: AnyKeyPath) -> String
}

extension SwiftKeyPathNaming {
    /// Says that the type doesn't name the key path.
    public static func missingKeyReason(for keyPath: AnyKeyPath) -> String {
        "\(Self.self) names no key for it. Give the key as a string."
    }
}
