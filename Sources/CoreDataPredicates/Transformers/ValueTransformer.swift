/// Turns values of one kind into another and perhaps back, for transformable attributes.
///
/// Subclass it, override `transformedValue(_:)` and, where there is a way back, `reverseTransformedValue(_:)`, and
/// register an instance under a name. A transformer may be used from any thread, so a subclass must not keep state that
/// changes.
open class ValueTransformer: NSObject, @unchecked Sendable {
    public override init() {
        super.init()
    }

    /// The class of the transformed values; `NSObject` unless a subclass says otherwise.
    open class func transformedValueClass() -> AnyClass { NSObject.self }

    /// True if values can be turned back; true unless a subclass says otherwise.
    open class func allowsReverseTransformation() -> Bool { true }

    /// The transformed value; here the value itself.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// The value turned back. A transformer without a way back stops the program.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        guard Self.allowsReverseTransformation() else {
            programmingError("\(type(of: self)) has no way back: its allowsReverseTransformation() is false.")
        }
        return transformedValue(value)
    }
}
