// SPDX-License-Identifier: Apache-2.0

/// A property or method of a type or an extension, or a function outside of types.
package struct DeclaredMember {
    /// The parts of a method.
    package struct Method {
        package struct Parameter {
            /// The argument label, nil for `_`.
            package let label: String?
            /// The name in the body, and the position after it.
            package let name: String
            package let nameEnd: Int
            package let type: TypeSyntax
            package let typeText: String
            /// Whether an ellipsis is behind the type.
            package let isVariadic: Bool
        }

        package let parameters: [Parameter]
        /// The written type of the result; `Void` without one.
        let result: TypeSyntax
        /// The position after the result, before a `where` clause.
        package let end: Int
        package let isGeneric: Bool
        package let isAsync: Bool
        package let canThrow: Bool

        package var returnsValue: Bool { result != .void && result.simpleName != "Void" }
        package var labels: [String?] { parameters.map(\.label) }
    }

    /// The parts of a property.
    package struct Property {
        /// The declared type; nil if the compiler infers it.
        package let typeText: String?
        /// Whether the declaration has a getter, so that the property is computed.
        package let isComputed: Bool
        /// Whether the property can be set, without regard to access levels.
        package let isSettable: Bool
        /// Whether the property has observers, or a getter that is asynchronous or throws.
        package let isUnusual: Bool
    }

    package enum Kind {
        case method(Method)
        case property(Property)
    }

    package let kind: Kind
    package let name: String
    package let scope: DeclarationScope
    package let marks: [DeclarationMark]
    package let source: LexedSource
    /// The positions of `func` or `var`, of the name, and of the end of the declaration without its body.
    package let keywordOffset: Int
    package let nameRange: Range<Int>
    package let signatureEnd: Int
    package let access: DeclaredAccess
    /// The name in `@objc(name)`.
    package let objectiveCName: String?

    package var method: Method? { if case .method(let method) = kind { method } else { nil } }

    /// The argument labels; nil for a property.
    package var labels: [String?]? { method?.labels }

    package func hasMark(_ name: String) -> Bool { marks.contains { $0.name == name } }

    package var isOverride: Bool { hasMark("override") }
    package var isTypeMember: Bool { hasMark("static") || hasMark("class") }
    /// Whether the member has a name in Objective-C by its declaration.
    package var isExposed: Bool { hasMark("@objc") || (scope.exposesMembers && !hasMark("@nonobjc")) }
    package var isOnMainActor: Bool { (scope.isOnMainActor || hasMark("@MainActor")) && !hasMark("nonisolated") }

    /// `play(speed:)`, or the name of a property.
    package var fullName: String {
        guard let labels else { return name }
        return "\(name)(\(labels.map { "\($0 ?? "_"):" }.joined()))"
    }
}
