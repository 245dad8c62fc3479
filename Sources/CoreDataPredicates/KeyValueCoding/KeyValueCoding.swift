// SPDX-License-Identifier: Apache-2.0

/// A type whose values can be read by key, so that predicates, expressions and sort descriptors work with it.
///
/// **Extension**: on Apple's platforms the Objective-C runtime makes every `NSObject` key-value coding compliant. Here
/// a type conforms to this protocol. Managed objects, dictionaries and collections need no conformance.
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
    /// The value for a single key, nil if there is none. The type defines the behaviour for unknown keys.
    ///
    /// - Parameter key: the key.
    func value(forKey key: String) -> Any?

    /// The value at the end of a key path.
    ///
    /// - Parameter keyPath: keys separated by dots; may have collection operators such as `@count`.
    func value(forKeyPath keyPath: String) -> Any?
}

extension KeyValueCoding {
    /// The value at the end of a key path, read key by key; a collection gives the values of its elements.
    ///
    /// - Parameter keyPath: keys separated by dots; may have collection operators such as `@count`.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyPathEvaluation.value(of: self, path: KeyPathEvaluation.split(keyPath)[...])
    }
}

/// The kind of a change of a set, for `willChangeValue(forKey:withSetMutation:using:)` and its counterpart.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// Objects are added.
    case union = 1
    /// Objects are removed.
    case minus = 2
    /// All objects except the given ones are removed.
    case intersect = 3
    /// All objects are replaced.
    case set = 4
}
