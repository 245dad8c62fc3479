// SPDX-License-Identifier: Apache-2.0

/// A `var` or `let`: one property, or several.
package struct VariableDeclaration {
    /// A name, or a pattern of several names, with its type and its value.
    package struct Binding {
        /// The name; nil for a pattern of several names.
        package let name: String?
        /// The bytes of the name as it is written, in backticks if it has them, or of the pattern.
        package let nameRange: Range<Int>
        /// The declared type; nil without an annotation, and if the type can't be read.
        package let type: TypeSyntax?
        /// The bytes of the declared type; nil if the compiler infers it.
        package let typeRange: Range<Int>?
        /// The declared type in one line.
        package let typeText: String?
        /// The bytes of the initial value.
        package let valueRange: Range<Int>?
        /// The names of the accessors and their effects, `get` for a getter without a name; nil without accessors.
        let accessors: Set<String>?
        /// The position after the name, the type and the value, before accessors.
        let signatureEnd: Int

        /// Whether accessors take the place of a stored value.
        package var isComputed: Bool {
            accessors.map { !$0.isSubset(of: ["willSet", "didSet"]) } ?? false
        }
        /// Whether the property is stored and has observers.
        package var isObserved: Bool { accessors != nil && !isComputed }
    }

    package let marks: [DeclarationMark]
    package let scope: DeclarationScope
    package let keywordOffset: Int
    package let isConstant: Bool
    package let bindings: [Binding]

    package var access: DeclaredAccess { DeclaredAccess(marks, default: scope.memberAccess) }
    /// The access level of the setter, if the declaration states one for the setter alone.
    package var setterAccess: DeclaredAccess? {
        marks.lazy.filter { $0.argument == "set" }.compactMap { DeclaredAccess(modifier: $0.name) }.first
    }
    package var objectiveCName: String? { marks.objectiveCName }

    func hasMark(_ name: String) -> Bool { marks.contains { $0.name == name } }

    package var isTypeMember: Bool { hasMark("static") || hasMark("class") }
}
