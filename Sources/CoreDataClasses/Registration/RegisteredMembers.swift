// SPDX-License-Identifier: Apache-2.0

/// Generates the code that registers the members of classes which key-value coding finds by name.
struct RegisteredMembers {
    let resolver: TypeResolver

    /// The attributes that don't change how a property is read.
    private static let harmlessAttributes: Set<String> = [
        "@objc", "@inlinable", "@inline", "@discardableResult", "@IBInspectable", "@GKInspectable",
    ]

    /// The statements, each with its conditions.
    func statements() -> [String] {
        resolver.own.files.flatMap(\.members).compactMap { member in
            guard let owner = owner(of: member), let statement = statement(member, of: owner) else { return nil }
            return member.scope.conditions.map { "    #if \($0)\n" }.joined() + "    \(statement)\n"
                + member.scope.conditions.map { _ in "    #endif\n" }.joined()
        }
    }

    /// The class in source form; nil if the member belongs to no class of managed objects, or isn't accessible.
    private func owner(of member: DeclaredMember) -> String? {
        guard member.scope.isClassOrExtension, !member.isTypeMember, !member.isOverride, !member.access.isPrivate,
            !member.hasMark("@NSManaged"), !member.isOnMainActor,
            member.marks.allSatisfy({ !$0.name.hasPrefix("@") || Self.harmlessAttributes.contains($0.name) }),
            let type = resolver.own.type(at: member.scope.path, from: member.source), type.kind == .class,
            !type.isHidden, !type.isGeneric, resolver.inheritsFromManagedObject(type, in: resolver.own)
        else { return nil }
        return type.path.map(SwiftName.spelled).joined(separator: ".")
    }

    private func statement(_ member: DeclaredMember, of owner: String) -> String? {
        let name = SwiftName.spelled(member.name)
        switch member.kind {
        case .property(let property):
            // A stored property has a name in Objective-C only if it says so.
            guard !property.isUnusual || !property.isComputed, property.isComputed || member.isExposed else {
                return nil
            }
            let key = SwiftName.literal(member.objectiveCName ?? member.name)
            let isSettable = property.isSettable && !member.marks.contains { $0.argument == "set" }
            return "NSManagedObject.register(\(key), of: \(owner).self, get: { $0.\(name) }"
                + (isSettable ? ", set: { $0.\(name) = $1 }" : "")
                + (member.isExposed ? ", isExposed: true, keyPath: { \\\(owner).\(name) })" : ")")
        case .method(let method):
            guard let key = validatedKey(member, method) else { return nil }
            return """
                NSManagedObject.registerValidation(of: \(SwiftName.literal(key)), in: \(owner).self) { \
                try $0.\(name)($1) }
                """
        }
    }

    /// `title` for `validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws`.
    private func validatedKey(_ member: DeclaredMember, _ method: DeclaredMember.Method) -> String? {
        let prefix = "validate"
        guard member.name.hasPrefix(prefix), method.labels == [nil], method.canThrow, !method.isAsync,
            method.parameters[0].typeText.hasPrefix("AutoreleasingUnsafeMutablePointer<AnyObject?>"),
            let first = member.name.dropFirst(prefix.count).first, first.isUppercase
        else { return nil }
        return first.lowercased() + member.name.dropFirst(prefix.count + 1)
    }
}
