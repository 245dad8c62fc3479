/// A property or method of a type or an extension, or a function outside of types.
struct DeclaredMember {
    /// The parts of a method.
    struct Method {
        struct Parameter {
            /// The argument label, nil for `_`.
            let label: String?
            /// The name in the body.
            let name: String
            let typeText: String
            let isVariadic: Bool
        }

        let parameters: [Parameter]
        let isAsync: Bool
        let canThrow: Bool
        let returnsValue: Bool

        var labels: [String?] { parameters.map(\.label) }
    }

    /// The parts of a property.
    struct Property {
        /// The declared type; nil if the compiler infers it.
        let typeText: String?
        /// Whether the property has a getter of its own.
        let isComputed: Bool
        /// Whether the property can be set, without regard to access levels.
        let isSettable: Bool
        /// Whether the property has observers, or a getter that is asynchronous or throws.
        let isUnusual: Bool
    }

    enum Kind {
        case method(Method)
        case property(Property)
    }

    let kind: Kind
    let name: String
    let scope: DeclarationScope
    let marks: [DeclarationMark]
    let source: LexedSource
    /// The positions of `func` or `var`, of the name, and of the end of the declaration without its body.
    let keywordOffset: Int
    let nameRange: Range<Int>
    let signatureEnd: Int
    let access: DeclaredAccess
    /// The name in `@objc(name)`.
    let objectiveCName: String?

    var method: Method? { if case .method(let method) = kind { method } else { nil } }
    var property: Property? { if case .property(let property) = kind { property } else { nil } }

    /// The argument labels; nil for a property.
    var labels: [String?]? { method?.labels }

    func hasMark(_ name: String) -> Bool { marks.contains { $0.name == name } }

    var isOverride: Bool { hasMark("override") }
    var isTypeMember: Bool { hasMark("static") || hasMark("class") }
    /// Whether the member has a name in Objective-C by its declaration.
    var isExposed: Bool { hasMark("@objc") || (scope.exposesMembers && !hasMark("@nonobjc")) }
    var isOnMainActor: Bool { (scope.isOnMainActor || hasMark("@MainActor")) && !hasMark("nonisolated") }

    /// `play(speed:)`, or the name of a property.
    var fullName: String {
        guard let labels else { return name }
        return "\(name)(\(labels.map { "\($0 ?? "_"):" }.joined()))"
    }
}
