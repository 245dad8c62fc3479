// SPDX-License-Identifier: Apache-2.0

/// The methods of policies and migration managers that expressions call, by class.
enum MigrationMethods {
    typealias Method = @Sendable (NSObject, [Any?]) throws -> Any?

    private static let methods = Locked<[ObjectIdentifier: [String: Method]]>([:])

    static func register(_ method: @escaping Method, _ selector: String, of type: AnyClass) {
        methods.withLock { $0[ObjectIdentifier(type), default: [:]][selector] = method }
    }

    /// The method of a class, or of its nearest superclass that has one.
    static func method(_ selector: String, of type: AnyClass) -> Method? {
        methods.withLock { methods in
            for type in superclasses(of: type) {
                if let method = methods[ObjectIdentifier(type)]?[selector] { return method }
            }
            return nil
        }
    }

    /// The methods of a class and its superclasses, sorted.
    static func selectors(of type: AnyClass) -> [String] {
        methods.withLock { methods in
            superclasses(of: type).flatMap { methods[ObjectIdentifier($0)].map { Array($0.keys) } ?? [] }.sorted()
        }
    }

    /// Whether a class or one of its superclasses has methods.
    static func areRegistered(of type: AnyClass) -> Bool { !selectors(of: type).isEmpty }

    /// A class and its superclasses, the class first.
    private static func superclasses(of type: AnyClass) -> [AnyClass] {
        Array(sequence(first: type, next: { _getSuperclass($0) }))
    }
}

extension NSEntityMigrationPolicy {
    /// **Extension.** Registers a method that value expressions call: `FUNCTION($entityPolicy, "selector:", …)`.
    ///
    /// The Objective-C runtime finds `@objc` methods by itself.
    ///
    /// ```swift
    /// final class PricePolicy: NSEntityMigrationPolicy {
    ///     func cents(for price: Double) -> Int { Int((price * 100).rounded()) }
    /// }
    ///
    /// // FUNCTION($entityPolicy, "centsForPrice:", $source.price)
    /// NSEntityMigrationPolicy.register("centsForPrice:", of: PricePolicy.self) { policy, arguments in
    ///     policy.cents(for: (arguments[0] as? NSNumber)?.doubleValue ?? 0)
    /// }
    /// ```
    ///
    /// May be called on any thread, before the migration.
    ///
    /// - Parameters:
    ///   - selector: the name of the method in expressions, with a colon for each argument.
    ///   - type: the class. Subclasses inherit the method.
    ///   - method: calls the method with the values of the arguments. An error ends the migration.
    public static func register<Policy: NSEntityMigrationPolicy>(
        _ selector: String, of type: Policy.Type, _ method: @escaping @MainActor (Policy, [Any?]) throws -> Any?
    ) {
        // The default isolation of the module may be the main actor. The method runs where the migration does.
        let method = unsafeBitCast(method, to: (@Sendable (Policy, [Any?]) throws -> Any?).self)
        MigrationMethods.register(
            { policy, arguments in try method(unsafeDowncast(policy, to: Policy.self), arguments) }, selector, of: type)
    }
}

extension NSMigrationManager {
    /// **Extension.** Registers a method that value expressions call: `FUNCTION($manager, "selector:", …)`.
    ///
    /// The Objective-C runtime finds `@objc` methods by itself. The package's plugin registers the methods that a
    /// target declares.
    ///
    /// ```swift
    /// final class PriceManager: NSMigrationManager {
    ///     var rate = 1.0
    ///     func converted(_ price: Double) -> Double { price * rate }
    /// }
    ///
    /// // FUNCTION($manager, "convertedPrice:", $source.price)
    /// NSMigrationManager.register("convertedPrice:", of: PriceManager.self) { manager, arguments in
    ///     manager.converted((arguments[0] as? NSNumber)?.doubleValue ?? 0)
    /// }
    /// ```
    ///
    /// May be called on any thread, before the migration.
    ///
    /// - Parameters:
    ///   - selector: the name of the method in expressions, with a colon for each argument.
    ///   - type: the class. Subclasses inherit the method.
    ///   - method: calls the method with the values of the arguments. An error ends the migration.
    public static func register<Manager: NSMigrationManager>(
        _ selector: String, of type: Manager.Type, _ method: @escaping @MainActor (Manager, [Any?]) throws -> Any?
    ) {
        // The default isolation of the module may be the main actor. The method runs where the migration does.
        let method = unsafeBitCast(method, to: (@Sendable (Manager, [Any?]) throws -> Any?).self)
        MigrationMethods.register(
            { manager, arguments in try method(unsafeDowncast(manager, to: Manager.self), arguments) }, selector,
            of: type)
    }

    /// **Extension.** An argument of a registered method, as the type that the method takes.
    ///
    /// The registrations that the package's plugin generates call it. Numbers become numbers of any type. May be called
    /// on any thread.
    ///
    /// - Parameters:
    ///   - index: the position of the argument.
    ///   - arguments: the values that an expression has given.
    /// - Returns: the value.
    /// - Throws: `NSMigrationError` (134110) for a value of another type.
    public static func argument<Value>(_ index: Int, of arguments: [Any?]) throws -> Value {
        let given = index < arguments.count ? arguments[index].flatMap(PropertySlot.unwrapped) : nil
        let value = given is NSNull ? nil : given
        if let converted = MigrationArgument.convert(value, to: Value.self) ?? given as? Value { return converted }
        throw MigrationErrors.invalidMapping(
            """
            Argument \(index + 1) of a method has the type \(value.map { "\(type(of: $0))" } ?? "nil"), and the method \
            takes \(Value.self).
            """)
    }
}
