// SPDX-License-Identifier: Apache-2.0

/// The values of expressions as arguments of methods.
enum MigrationArgument {
    /// The value as another type; nil if it isn't one.
    static func convert<Value>(_ value: Any?, to type: Value.Type) -> Value? {
        guard let value else { return (type as? any NilArgument.Type)?.nilArgument as? Value }
        if let type = type as? any NumberArgument.Type {
            return (value as? NSNumber).flatMap { type.init(argument: $0) as? Value }
        }
        if let type = type as? any NilArgument.Type { return type.argument(value) as? Value }
        return value as? Value
    }
}

/// An optional: `nil` is a value of it.
private protocol NilArgument {
    static var nilArgument: Self { get }
    /// The value in an optional; nil if it isn't one.
    static func argument(_ value: Any) -> Self?
}

extension Optional: NilArgument {
    fileprivate static var nilArgument: Self { .none }

    fileprivate static func argument(_ value: Any) -> Self? {
        MigrationArgument.convert(value, to: Wrapped.self).map(Optional.some)
    }
}

/// A number that isn't an object.
private protocol NumberArgument {
    init(argument number: NSNumber)
}

extension Bool: NumberArgument { fileprivate init(argument number: NSNumber) { self = number.boolValue } }
extension Double: NumberArgument { fileprivate init(argument number: NSNumber) { self = number.doubleValue } }
extension Float: NumberArgument { fileprivate init(argument number: NSNumber) { self = number.floatValue } }
extension Int: NumberArgument { fileprivate init(argument number: NSNumber) { self = number.intValue } }
extension Int16: NumberArgument { fileprivate init(argument number: NSNumber) { self = number.int16Value } }
extension Int32: NumberArgument { fileprivate init(argument number: NSNumber) { self = number.int32Value } }
extension Int64: NumberArgument { fileprivate init(argument number: NSNumber) { self = number.int64Value } }
