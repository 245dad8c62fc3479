/// What generated classes are to look like.
package struct ClassGenerationOptions: Equatable, Sendable {
    /// How the accessors get their bodies.
    package enum Style: String, Sendable, CaseIterable {
        /// `@NSManaged`, as Xcode writes it: for Apple's platforms, and for Linux with the accessors that the plugin
        /// supplies.
        case portable
        /// Real bodies: compiles with this package alone, without supply.
        case selfContained = "self-contained"
    }

    /// Who may use the classes and their members.
    package enum Access: String, Sendable, CaseIterable {
        case `public`, package, `internal`

        /// The modifier with the space after it; nothing for internal, which is what no modifier means.
        var modifier: String { self == .internal ? "" : rawValue + " " }
    }

    package var style: Style
    package var access: Access
    /// The module that the classes are made for. Classes that the model puts into another module are not generated.
    package var module: String?
    /// Whether classes of entities with manual code generation are written too, both files, as Xcode's menu does.
    package var includesManual: Bool

    package init(
        style: Style = .portable, access: Access = .public, module: String? = nil, includesManual: Bool = false
    ) {
        self.style = style
        self.access = access
        self.module = module
        self.includesManual = includesManual
    }
}
