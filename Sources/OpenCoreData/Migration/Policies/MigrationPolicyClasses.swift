import Synchronization

/// The migration policies of the program: classes by name, and the methods that expressions call.
enum MigrationPolicyClasses {
    typealias Method = @Sendable (NSEntityMigrationPolicy, [Any?]) throws -> Any?

    private struct State {
        var classes: [String: NSEntityMigrationPolicy.Type] = [:]
        var methods: [ObjectIdentifier: [String: Method]] = [:]
    }

    private static let state = Mutex(State())

    static func register(_ type: NSEntityMigrationPolicy.Type, as name: String) {
        state.withLock { $0.classes[name] = type }
    }

    static func register(_ method: @escaping Method, _ selector: String, of type: NSEntityMigrationPolicy.Type) {
        state.withLock { $0.methods[ObjectIdentifier(type), default: [:]][selector] = method }
    }

    /// The method of a class, or of its nearest superclass that has one.
    static func method(_ selector: String, of type: NSEntityMigrationPolicy.Type) -> Method? {
        state.withLock { state in
            var current: AnyClass? = type
            while let type = current {
                if let method = state.methods[ObjectIdentifier(type)]?[selector] { return method }
                current = _getSuperclass(type)
            }
            return nil
        }
    }

    /// The methods of a class and its superclasses, sorted.
    static func selectors(of type: NSEntityMigrationPolicy.Type) -> [String] {
        state.withLock { state in
            state.methods.flatMap { owner, methods in
                sequence(first: type as AnyClass, next: { _getSuperclass($0) })
                    .contains { ObjectIdentifier($0) == owner } ? Array(methods.keys) : []
            }.sorted()
        }
    }

    /// A policy for an entity mapping.
    ///
    /// - Throws: `NSEntityMigrationPolicyError` (134170) for an unknown class.
    static func makePolicy(for mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else { return NSEntityMigrationPolicy() }
        guard let type = find(name) else {
            let known = names
            throw MigrationErrors.policy(
                mapping,
                "The program has no subclass \u{201c}\(name)\u{201d} of NSEntityMigrationPolicy."
                    + NearestNames.suggestion(for: name, in: known),
                suggestion: known.isEmpty
                    ? "Write the class, or register it by NSEntityMigrationPolicy.register(_:as:)."
                    : "Its policies are \(known.joined(separator: ", ")).")
        }
        return type.init()
    }

    /// The class of a name: `Class`, `.Class` or `Module.Class`.
    private static func find(_ name: String) -> NSEntityMigrationPolicy.Type? {
        let wanted = ClassName.plain(name)
        if let found = state.withLock({ $0.classes[wanted] }) { return found }
        let all = ProgramClasses.subclasses(of: NSEntityMigrationPolicy.self)
        if let found = all.first(where: { ClassName.of($0) == wanted }) { return found }
        guard !wanted.contains(".") else { return nil }
        let candidates = all.filter { ClassName.lastPart(of: ClassName.of($0)) == wanted }
        guard candidates.count > 1 else { return candidates.first }
        let names = candidates.map(ClassName.of).sorted()
        CoreDataLog.warning(
            """
            The mapping model's class name '\(name)' names several classes: \(names.joined(separator: ", ")). Using \
            \(names[0]). Write Module.Class into the mapping model to choose.
            """)
        return candidates.min { ClassName.of($0) < ClassName.of($1) }
    }

    private static var names: [String] {
        let registered = state.withLock { Array($0.classes.keys) }
        return Set(registered + ProgramClasses.subclasses(of: NSEntityMigrationPolicy.self).map { ClassName.of($0) })
            .sorted()
    }
}

extension NSEntityMigrationPolicy {
    /// **Extension.** Registers a policy class under another name, as `@objc(Name)` does on Apple's platforms.
    ///
    /// Rarely needed: the classes of the program and its libraries are found without registration, by their names with
    /// and without module. May be called on any thread.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - name: the name that mapping models use.
    public static func register(_ type: NSEntityMigrationPolicy.Type, as name: String) {
        MigrationPolicyClasses.register(type, as: name)
    }

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
        _ selector: String, of type: Policy.Type, _ method: @escaping @Sendable (Policy, [Any?]) throws -> Any?
    ) {
        MigrationPolicyClasses.register(
            { policy, arguments in try method(unsafeDowncast(policy, to: Policy.self), arguments) }, selector, of: type)
    }
}
