/// The options of the tool.
enum Option: String, CaseIterable {
    case help = "--help"
    case version = "--version"
    case action = "--action"
    case decompile = "--decompile"
    case generate = "--generate"
    case noWarnings = "--no-warnings"
    case noInverseWarnings = "--no-inverse-warnings"
    case noPropertyCountWarnings = "--no-max-property-count-warnings"
    case noDeleteRuleWarnings = "--no-delete-rule-warnings"
    case shipped = "--shipped"
    case force = "--force"
    case module = "--module"
    case swiftVersion = "--swift-version"
    case style = "--style"
    case access = "--access"
    case includeManual = "--include-manual"

    var takesValue: Bool { [.action, .shipped, .module, .swiftVersion, .style, .access].contains(self) }

    /// The verbs for which the option means something; nil for all.
    var verbs: Set<Verb>? {
        switch self {
        case .help, .version, .action, .decompile, .generate, .noWarnings, .noInverseWarnings, .noPropertyCountWarnings,
            .noDeleteRuleWarnings:
            nil
        case .shipped: [.compile]
        case .force: [.decompile]
        // Xcode gives both in either action.
        case .module, .swiftVersion: [.compile, .generate]
        case .style, .access, .includeManual: [.generate]
        }
    }

    /// An option of Apple's tool that says for which platform a model is compiled, which makes no difference to the
    /// file.
    static func isAboutPlatform(_ name: String) -> Bool { name == "--sdkroot" || name.hasSuffix("-deployment-target") }
}

/// What the tool can do.
enum Verb: String {
    case compile, generate, decompile
}
