// SPDX-License-Identifier: Apache-2.0

/// A class with keys for its Swift key paths, so that `\Song.title` can be used as a key.
///
/// **Extension**: on Apple's platforms the compiler writes the keys of `@objc` properties into key paths. Here managed
/// objects need no conformance. Another class that conforms to ``KeyValueCoding`` gives the keys itself:
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
    /// The key of a key path that begins at this type. May be called on any thread.
    ///
    /// - Parameter keyPath: the key path.
    /// - Returns: one key, or several keys separated by dots; nil if the key path has no key.
    static func keyValueCodingKey(for keyPath: AnyKeyPath) -> String?

    /// The reason why a key path has no key, for the message that stops the program.
    ///
    /// - Parameter keyPath: the key path.
    static func missingKeyReason(for keyPath: AnyKeyPath) -> String
}

extension SwiftKeyPathNaming {
    /// The reason that the type returns no key.
    ///
    /// - Parameter keyPath: the key path.
    public static func missingKeyReason(for keyPath: AnyKeyPath) -> String {
        "\(Self.self) returns no key for it. Use a string as the key."
    }
}

/// The keys of Swift key paths, from the types at which the key paths begin.
enum SwiftKeyPaths {
    /// The key of a key path, nil if it has none.
    static func key(for keyPath: AnyKeyPath) -> String? {
        (type(of: keyPath).rootType as? any SwiftKeyPathNaming.Type)?.keyValueCodingKey(for: keyPath)
    }

    /// The key of a key path. A key path without a key stops the program.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - caller: the public function that needs the key, for the message.
    static func requiredKey(for keyPath: AnyKeyPath, of caller: String) -> String {
        if let key = key(for: keyPath) { return key }
        let root = type(of: keyPath).rootType
        let reason =
            (root as? any SwiftKeyPathNaming.Type)?.missingKeyReason(for: keyPath)
                ?? """
                \(root) has no keys for its key paths. Conform it to SwiftKeyPathNaming, or use a string as the key.
                """
        programmingError("\(caller): \(keyPath) has no key: \(reason)")
    }
}
