// SPDX-License-Identifier: Apache-2.0

extension SourceRewriter {
    /// Adds accessors to properties, in the lines of their declarations.
    mutating func expand(_ declaration: ManagedVariableDeclaration) {
        for mark in declaration.managedMarks { remove(mark.range) }
        for (index, variable) in declaration.variables.enumerated() {
            replace(variable.typeRange.upperBound..<variable.typeRange.upperBound, accessors(of: variable))
            guard index > 0 else { continue }
            let gap = declaration.variables[index - 1].typeRange.upperBound..<variable.offset
            replace(gap, ";\(lineBreaks(in: gap)) \(declaration.modifierText)var ")
        }
    }

    private func accessors(of variable: ManagedVariable) -> String {
        let key = Self.keyName(variable.name)
        // An implicitly unwrapped optional isn't allowed as a generic argument.
        let type = variable.typeText.hasSuffix("!") ? "Optional<\(variable.typeText.dropLast())>" : variable.typeText
        let assignment = "self[Self.\(key).property] = newValue"
        let setter =
            PrimitiveName.isPrimitive(variable.name)
            ? "self.withPrimitiveAccess(to: Self.\(key).property) { \(assignment) }" : assignment
        return
            """
             { get { self[Self.\(key).property] } set { \(setter) } }; private nonisolated static let \(key) = \
            ManagedPropertyDeclaration<\(type)>(\(SwiftName.literal(variable.objectiveCName ?? variable.name)))
            """
    }

    private static func keyName(_ name: String) -> String { "_managed_\(SwiftName.part(name))" }

    /// Adds a body to a method.
    mutating func expand(_ function: ManagedFunction) {
        guard
            let method = RelationshipMethod(
                name: function.name, labels: function.parameters.map(\.label), selector: function.objectiveCName),
            !function.isUnusual, !function.method.returnsValue
        else {
            diagnose(
                at: function.offset,
                """
                the @NSManaged method '\(function.member.fullName)' is none that managed objects have: \
                \(RelationshipMethod.knownForms)
                """
            )
            return
        }
        for mark in function.managedMarks { remove(mark.range) }
        var arguments: [String] = []
        for (index, parameter) in function.parameters.enumerated() {
            guard parameter.name == "_" else {
                arguments.append(parameter.name)
                continue
            }
            arguments.append("value\(index)")
            replace(parameter.nameEnd..<parameter.nameEnd, " value\(index)")
        }
        // The line distinguishes methods of the same name.
        let key = "\(Self.keyName(function.name))_\(source.position(of: function.offset).line)"
        let statement = method.statement(arguments: arguments, property: "Self.\(key)")
        replace(
            function.method.end..<function.method.end,
            """
             { \(statement) }; private nonisolated static let \(key) = \
            ManagedRelationship(\(SwiftName.literal(method.key)))
            """
        )
    }
}
