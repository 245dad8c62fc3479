// SPDX-License-Identifier: Apache-2.0

/// Values of types that are known at run time.
enum AnyValues {
    /// The value without its optionals; nil for nil.
    static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        guard let optional = value as? any OptionalType else { return value }
        return unwrapped(optional.wrappedAny)
    }

    /// A value as a type that may be optional. Nil becomes an optional's nil.
    static func cast<Value>(_ value: Any?, to type: Value.Type) -> Value? {
        if let value, let cast = value as? Value { return cast }
        guard value == nil, let optional = type as? any OptionalType.Type else { return nil }
        return optional.nilValue as? Value
    }
}
