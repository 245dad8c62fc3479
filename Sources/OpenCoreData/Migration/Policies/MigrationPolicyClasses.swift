// SPDX-License-Identifier: Apache-2.0

/// The migration policies of the program: classes by name.
enum MigrationPolicyClasses {
    private static let classes = Locked<[String: NSEntityMigrationPolicy.Type]>([:])

    static func register(_ type: NSEntityMigrationPolicy.Type, as name: String) {
        classes.withLock { $0[name] = type }
    }

    /// A policy for an entity mapping.
    ///
    /// - Throws: `NSEntityMigrationPolicyError` (134170) for an unknown class.
    static func makePolicy(for mapping: NSEntityMapping) throws -> NSEntityMigrationPolicy {
        let plain = ["", ClassName.of(NSEntityMigrationPolicy.self)]
        guard let name = mapping.entityMigrationPolicyClassName, !plain.contains(name) else {
            return NSEntityMigrationPolicy()
        }
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
        guard let policy = MigrationClasses.policy(type) else {
            throw MigrationErrors.policy(
                mapping, "On this system, classes that the program names can\u{2019}t be initialized.",
                suggestion: "Migrate the store by expressions, or by a walk through its objects.")
        }
        return policy
    }

    /// The class of a name: `Class`, `.Class` or `Module.Class`.
    private static func find(_ name: String) -> NSEntityMigrationPolicy.Type? {
        let wanted = ClassName.plain(name)
        if let found = classes.withLock({ $0[wanted] }) { return found }
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
        let registered = classes.withLock { Array($0.keys) }
        return Set(registered + ProgramClasses.subclasses(of: NSEntityMigrationPolicy.self).map { ClassName.of($0) })
            .sorted()
    }
}

extension NSEntityMigrationPolicy {
    /// **Extension.** Registers a policy class under another name, as `@objc(Name)` does on Apple's platforms.
    ///
    /// Rarely needed: the classes of the program and its libraries are found without registration, by their names with
    /// or without the module. May be called on any thread.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - name: the name that mapping models use.
    public static func register(_ type: NSEntityMigrationPolicy.Type, as name: String) {
        MigrationPolicyClasses.register(type, as: name)
    }
}
