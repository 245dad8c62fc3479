// SPDX-License-Identifier: Apache-2.0

/// Generates the code that registers the methods of migration policies and migration managers that are visible in
/// Objective-C: value expressions call them by their selectors.
struct MigrationMethods {
    let resolver: TypeResolver

    /// The classes whose subclasses have such methods.
    private static let owners = ["NSEntityMigrationPolicy", "NSMigrationManager"]

    /// The statements, each with its conditions.
    func statements() -> [String] {
        let members = resolver.own.files.flatMap(\.members)
        return members.compactMap { member in
            guard let (base, owner) = owner(of: member), let call = call(member) else { return nil }
            let selector = SelectorName.text(member.name, labels: member.labels, members: [member])
            return member.scope.conditions.map { "    #if \($0)\n" }.joined() + """
                    \(base).register(\(SwiftName.literal(selector)), of: \(owner).self) { \(call) }

                """ + member.scope.conditions.map { _ in "    #endif\n" }.joined()
        }
    }

    /// The class of Core Data, and the subclass in source form; nil for a member that expressions can't call.
    private func owner(of member: DeclaredMember) -> (base: String, subclass: String)? {
        guard member.scope.isClassOrExtension, member.isExposed, !member.isTypeMember, !member.isOverride,
            !member.access.isPrivate, !member.isOnMainActor,
            let type = resolver.own.type(at: member.scope.path, from: member.source), type.kind == .class,
            !type.isHidden, !type.isGeneric,
            let base = resolver.superclass(of: type, among: Self.owners)
        else { return nil }
        return (base, type.path.map(SwiftName.spelled).joined(separator: "."))
    }

    /// The body of the closure; nil for a method with parameters that aren't values.
    ///
    /// The error of a method isn't an argument: expressions call `convert:` of `@objc(convert:) func … throws`.
    private func call(_ member: DeclaredMember) -> String? {
        guard let method = member.method, !method.isAsync, !method.parameters.contains(where: \.isVariadic) else {
            return nil
        }
        let arguments = method.parameters.enumerated().map { index, parameter in
            (parameter.label.map { "\($0): " } ?? "") + "NSMigrationManager.argument(\(index), of: $1)"
        }
        let isThrowing = method.canThrow || !arguments.isEmpty
        let call =
            (isThrowing ? "try " : "") + "$0.\(SwiftName.spelled(member.name))(\(arguments.joined(separator: ", ")))"
        let unused = arguments.isEmpty ? "_ = $1; " : ""
        return method.returnsValue ? "\(unused)return \(call)" : "\(unused)\(call); return nil"
    }
}
