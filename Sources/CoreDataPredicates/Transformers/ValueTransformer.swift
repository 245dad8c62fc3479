// SPDX-License-Identifier: Apache-2.0

/// Converts values of one type to another, and back. A transformable attribute names the transformer that converts its
/// value to `Data` and back.
///
/// Subclass it, and override ``transformedValue(_:)`` and ``reverseTransformedValue(_:)``. Register an instance before
/// the first context uses the model:
///
/// ```swift
/// final class ColorTransformer: ValueTransformer {
///     override class func transformedValueClass() -> AnyClass { NSData.self }
///
///     override func transformedValue(_ value: Any?) -> Any? {
///         (value as? Color).map { Data($0.components) }
///     }
///
///     override func reverseTransformedValue(_ value: Any?) -> Any? {
///         (value as? Data).map { Color(components: [UInt8]($0)) }
///     }
/// }
///
/// ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
/// ```
///
/// The direction depends on the transformer of the attribute. With a transformer of the program, a save stores the
/// result of `transformedValue(_:)`, and reading the attribute calls `reverseTransformedValue(_:)`. With
/// ``NSSecureUnarchiveFromDataTransformer`` and its subclasses the directions are exchanged, as on Apple's platforms.
/// An attribute that names no transformer uses ``NSSecureUnarchiveFromDataTransformer``. SQL sees a transformable
/// attribute as a BLOB: predicates can compare it with nil only.
///
/// A transformer is called on the queues of contexts, and on several at the same time. A subclass must not have mutable
/// state without a lock.
nonisolated open class ValueTransformer: NSObject {
    /// Creates a transformer.
    public override init() {
        super.init()
    }

    /// The class of the transformed values. The default is `NSObject`.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// True if ``reverseTransformedValue(_:)`` is supported. The default is true.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The transformed value. The default is the value itself.
    ///
    /// - Parameter value: the value; nil for none.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The original value of a transformed value. The default calls ``transformedValue(_:)``.
    ///
    /// A transformer whose ``allowsReverseTransformation()`` is false stops the program.
    ///
    /// - Parameter value: the transformed value; nil for none.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        guard Self.allowsReverseTransformation() else {
            programmingError(
                """
                \(type(of: self)) can't reverse a transformation: its allowsReverseTransformation() is false. \
                Override it and reverseTransformedValue(_:).
                """)
        }
        return transformedValue(value)
    }
}

/// The name under which a value transformer is registered.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a name.
    ///
    /// - Parameter rawValue: the name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a name.
    ///
    /// - Parameter rawValue: the name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Negates a Boolean.
    public static let negateBooleanTransformerName = NSValueTransformerName("NSNegateBoolean")
    /// True for nil.
    public static let isNilTransformerName = NSValueTransformerName("NSIsNil")
    /// True for anything but nil.
    public static let isNotNilTransformerName = NSValueTransformerName("NSIsNotNil")
    /// Converts keyed archives to objects of Foundation's value classes, and back.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName("NSSecureUnarchiveFromData")
}
