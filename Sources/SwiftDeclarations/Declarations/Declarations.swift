// SPDX-License-Identifier: Apache-2.0

/// The access level of a declaration.
package enum DeclaredAccess: Int, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    package init?(modifier: String) {
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

    /// The access that the modifiers of a declaration say.
    init(_ marks: [DeclarationMark], default standard: DeclaredAccess) {
        self = marks.lazy.filter { $0.argument == nil }.compactMap { Self(modifier: $0.name) }.first ?? standard
    }

    package static func < (left: DeclaredAccess, right: DeclaredAccess) -> Bool { left.rawValue < right.rawValue }

    /// Whether no other file can access the declaration.
    package var isPrivate: Bool { self <= .fileprivate }
}

/// An attribute or a modifier, with its range in the text.
package struct DeclarationMark: Equatable {
    package let name: String
    /// The text in the parentheses after the name.
    package let argument: String?
    /// The bytes in the text, parentheses included.
    package let range: Range<Int>
    /// The bytes of the argument.
    package let argumentRange: Range<Int>?
    /// Whether the attribute stands in an `#if` block of attributes before the declaration.
    package var isConditional = false
}

extension [DeclarationMark] {
    /// The name in `@objc(Name)`.
    var objectiveCName: String? { first { $0.name == "@objc" }?.argument.map { $0.replacing(" ", with: "") } }
}

/// The context of a declaration.
package struct DeclarationScope {
    /// The names of the enclosing types; for an extension, the written name of the extended type.
    package var path: [String] = []
    package var isExtension = false
    package var isClass = false
    package var isProtocol = false
    package var isGeneric = false
    /// Whether `@objcMembers` of the class or `@objc` of the extension applies to all members.
    var exposesMembers = false
    /// Whether the enclosing type or extension is isolated to the main actor.
    var isOnMainActor = false
    /// Whether the members may belong to a class: an extension doesn't say what it extends.
    package var isClassOrExtension: Bool { isClass || isExtension }
    /// The access of members without a modifier.
    var memberAccess = DeclaredAccess.internal
    /// Whether an enclosing type is private, or private to its file.
    package var isInPrivateType = false
    /// The conditions of the `#if` blocks around it, outermost first.
    package var conditions: [String] = []
}

/// A declared type or type alias.
package struct DeclaredType {
    package enum Kind { case `class`, structure, enumeration, `protocol`, actor, alias }

    package let kind: Kind
    package let name: String
    package let scope: DeclarationScope
    package let source: LexedSource
    package let offset: Int
    /// The position of the keyword.
    package let keywordOffset: Int
    package let access: DeclaredAccess
    package let isGeneric: Bool
    /// The superclass, the protocols, or the raw type.
    package let inherited: [TypeSyntax]
    /// The bytes of the first one.
    package let firstInheritedRange: Range<Int>?
    /// The type of an alias.
    package let aliased: TypeSyntax?
    /// The name in `@objc(Name)`.
    package let objectiveCName: String?
    /// The attributes and modifiers.
    package let marks: [DeclarationMark]
    /// The position of the brace that closes the body; nil for an alias.
    package var bodyEnd: Int?

    package var path: [String] { scope.path + [name] }
    /// Whether an attribute may be a macro, which reads the other attributes. Their names begin with capital letters.
    package var hasMacro: Bool {
        marks.contains { mark in
            let name = mark.name.dropFirst().split(separator: ".").last ?? ""
            return mark.name.hasPrefix("@") && name.first?.isUppercase == true && name != "MainActor"
        }
    }
    /// Whether no other file can name the type.
    package var isHidden: Bool { access.isPrivate || scope.isInPrivateType }
}

/// An initializer in the body of a type.
package struct DeclaredInitializer {
    package let marks: [DeclarationMark]
    package let scope: DeclarationScope
    package let isGeneric: Bool
    package let labels: [String]
    package let typeTexts: [String]
    package let keywordOffset: Int
}

/// A freestanding macro among the members of a type, such as `#Unique<Song>([\.title])`.
package struct DeclaredMacro {
    /// The name without `#`.
    package let name: String
    package let scope: DeclarationScope
    let offset: Int
    /// The bytes of the generic arguments, with their angle brackets, and of the argument list.
    package let genericArgumentRange: Range<Int>?
    package let argumentRange: Range<Int>?
}

/// A declaration that the scanner can't read.
package struct UnreadableDeclaration {
    package let name: String
    package let offset: Int
    package let marks: [DeclarationMark]
}

/// The body of a type or an extension, braces included.
struct DeclaredBody {
    var range: Range<Int>
    let scope: DeclarationScope
}

/// An `import`.
package struct DeclaredImport {
    package let module: String
    package let access: DeclaredAccess?
    package let isTestable: Bool
    let conditions: [String]
    /// The bytes of the submodule in `import Module.Submodule`, with the dot.
    package let submoduleRange: Range<Int>?

    /// Whether the module is this package's, under Apple's name or its own.
    package var isOfFramework: Bool { ["CoreData", "OpenCoreData"].contains(module) }
}

/// The declarations of one file.
package struct FileDeclarations {
    package let source: LexedSource
    package var imports: [DeclaredImport] = []
    package var types: [DeclaredType] = []
    package var variables: [VariableDeclaration] = []
    package var initializers: [DeclaredInitializer] = []
    package var macros: [DeclaredMacro] = []
    package var members: [DeclaredMember] = []
    /// Functions whose parameters can't be read.
    package var unreadableFunctions: [UnreadableDeclaration] = []
    /// Outer bodies before inner ones.
    var bodies: [DeclaredBody] = []
    /// The tokens of function bodies and expressions, in which the scanner looks for no declarations.
    package var skipped: [Range<Int>] = []
    package var diagnostics: [SourceDiagnostic] = []

    /// The scope of the members at a position; nil outside of types.
    package func scope(at offset: Int) -> DeclarationScope? { bodies.last { $0.range.contains(offset) }?.scope }
}
