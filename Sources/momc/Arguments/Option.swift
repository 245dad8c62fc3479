/// The options of the tool.
enum Option: String, CaseIterable {
    case help = "--help", version = "--version"
    case action = "--action", decompile = "--decompile", generate = "--generate"
    case noWarnings = "--no-warnings", noInverseWarnings = "--no-inverse-warnings"
    case noPropertyCountWarnings = "--no-max-property-count-warnings", noDeleteRuleWarnings = "--no-delete-rule-warnings"
    case shipped = "--shipped", force = "--force"
    case module = "--module", swiftVersion = "--swift-version", style = "--style", access = "--access", includeManual = "--include-manual"

    var takesValue: Bool { [.action, .shipped, .module, .swiftVersion, .style, .access].contains(self) }

    /// The verbs for which the option means something; nil for all.
    var verbs: Set<Verb>? {
        switch self {
        case .help, .version, .action, .decompile, .generate, .noWarnings, .noInverseWarnings, .noPropertyCountWarnings, .noDeleteRuleWarnings: nil
        case .shipped: [.compile]
        case .force: [.decompile]
        // Xcode gives both in either action.
        case .module, .swiftVersion: [.compile, .generate]
        case .style, .access, .includeManual: [.generate]
        }
    }

    /// An option of Apple's tool that says for which platform a model is compiled, which makes no difference to the file.
    static func isAboutPlatform(_ name: String) -> Bool { name == "--sdkroot" || name.hasSuffix("-deployment-target") }
}

/// What the tool can do.
enum Verb: String {
    case compile, generate, decompile
}
