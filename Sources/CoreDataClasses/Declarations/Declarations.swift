/// The access level of a declaration.
enum DeclaredAccess: Int, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    init?(modifier: String) {
        switch modifier {
        case "private": self = .private
        case "fileprivate": self = .fileprivate
        case "internal": self = .internal
        case "package": self = .package
        case "public": self = .public
        case "open": self = .open
        default: return nil
        }
    }

    static func < (left: DeclaredAccess, right: DeclaredAccess) -> Bool { left.rawValue < right.rawValue }

    /// Whether no other file can access the declaration.
    var isPrivate: Bool { self <= .fileprivate }
}

/// An attribute or a modifier, with its range in the text.
struct DeclarationMark: Equatable {
    let name: String
    /// The text in the parentheses after the name.
    let argument: String?
    /// The bytes in the text, parentheses included.
    let range: Range<Int>
}

/// The context of a declaration.
struct DeclarationScope {
    /// The names of the enclosing types; for an extension, the written name of the extended type.
    var path: [String] = []
    var isExtension = false
    var isClass = false
    var isProtocol = false
    var isGeneric = false
    /// Whether `@objcMembers` of the class or `@objc` of the extension applies to all members.
    var exposesMembers = false
    /// Whether the enclosing type or extension is isolated to the main actor.
    var isOnMainActor = false
    /// Whether the members may belong to a class: an extension doesn't say what it extends.
    var isClassOrExtension: Bool { isClass || isExtension }
    /// The access of members without a modifier.
    var memberAccess = DeclaredAccess.internal
    /// Whether an enclosing type is private, or private to its file.
    var isInPrivateType = false
    /// The conditions of the `#if` blocks around it, outermost first.
    var conditions: [String] = []
}

/// A declared type or type alias.
struct DeclaredType {
    enum Kind { case `class`, structure, enumeration, `protocol`, actor, alias }

    let kind: Kind
    let name: String
    let scope: DeclarationScope
    let source: LexedSource
    let offset: Int
    let access: DeclaredAccess
    let isGeneric: Bool
    /// The superclass, the protocols, or the raw type.
    let inherited: [TypeSyntax]
    /// The type of an alias.
    let aliased: TypeSyntax?
    /// The name in `@objc(Name)`.
    let objectiveCName: String?
    /// The attributes and modifiers.
    let marks: [DeclarationMark]
    /// The position of the brace that closes the body; nil for an alias.
    var bodyEnd: Int?

    var path: [String] { scope.path + [name] }
    /// Whether an attribute may be a macro, which reads the other attributes. Their names begin with capital letters.
    var hasMacro: Bool {
        marks.contains { mark in
            let name = mark.name.dropFirst().split(separator: ".").last ?? ""
            return mark.name.hasPrefix("@") && name.first?.isUppercase == true && name != "MainActor"
        }
    }
    /// Whether no other file can name the type.
    var isHidden: Bool { access.isPrivate || scope.isInPrivateType }
}

/// A property declared with `@NSManaged`.
struct ManagedVariable {
    let name: String
    /// The name in source form, in backticks if it needs them.
    let spelling: String
    let type: TypeSyntax
    let typeText: String
    /// The bytes of the declared type.
    let typeRange: Range<Int>
    /// The position of the name.
    let offset: Int
    let access: DeclaredAccess
    let setterAccess: DeclaredAccess
    let objectiveCName: String?
    let scope: DeclarationScope
}

/// A `var` with `@NSManaged`: one property, or several.
struct ManagedVariableDeclaration {
    let variables: [ManagedVariable]
    /// The `@NSManaged` attributes before it.
    let managedMarks: [DeclarationMark]
    /// The attributes and modifiers without `@NSManaged` and `@objc`, as text. They apply to each variable.
    let modifierText: String
    let keywordOffset: Int
}

/// A method declared with `@NSManaged`.
struct ManagedFunction {
    struct Parameter {
        /// The argument label, nil for `_`.
        let label: String?
        /// The name in the body, and the position after it.
        let name: String
        let nameEnd: Int
        let type: TypeSyntax
        let typeText: String
        /// Whether an ellipsis is behind the type.
        let isVariadic: Bool
    }

    let name: String
    let parameters: [Parameter]
    let result: TypeSyntax
    let resultText: String
    /// The position of the name, and the end of the declaration.
    let offset: Int
    let end: Int
    let access: DeclaredAccess
    let objectiveCName: String?
    let managedMarks: [DeclarationMark]
    let scope: DeclarationScope
    /// Whether it is generic, throws, or is a class method. Methods of a model are none of these.
    let isUnusual: Bool

    /// `addToSongs(_:)`.
    var fullName: String { "\(name)(\(parameters.map { "\($0.label ?? "_"):" }.joined()))" }
}

/// An initializer in the body of a class.
struct DeclaredInitializer {
    let marks: [DeclarationMark]
    let labels: [String]
    let typeTexts: [String]
    let keywordOffset: Int
}

/// The body of a type or an extension, braces included.
struct DeclaredBody {
    var range: Range<Int>
    let scope: DeclarationScope
}

/// An `import`.
struct DeclaredImport {
    let module: String
    let access: DeclaredAccess?
    let isTestable: Bool
    let conditions: [String]
    /// The bytes of the submodule in `import Module.Submodule`, with the dot.
    let submoduleRange: Range<Int>?

    /// Whether the module is this package's, under Apple's name or its own.
    var isOfFramework: Bool { ["CoreData", "OpenCoreData"].contains(module) }
}

/// The declarations of one file that are relevant for managed objects.
struct FileDeclarations {
    let source: LexedSource
    var imports: [DeclaredImport] = []
    var types: [DeclaredType] = []
    var variables: [ManagedVariableDeclaration] = []
    var functions: [ManagedFunction] = []
    var initializers: [DeclaredInitializer] = []
    var members: [DeclaredMember] = []
    /// Outer bodies before inner ones.
    var bodies: [DeclaredBody] = []
    var diagnostics: [SourceDiagnostic] = []

    /// The scope of the members at a position; nil outside of types.
    func scope(at offset: Int) -> DeclarationScope? { bodies.last { $0.range.contains(offset) }?.scope }
}
