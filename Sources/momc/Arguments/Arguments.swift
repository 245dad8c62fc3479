// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// The parsed arguments of one call. Options can be anywhere, as `--name value` or `--name=value`. After `--`, all
/// arguments are paths.
struct Arguments {
    /// The warnings about ignored options.
    private(set) var warnings: [String] = []
    private var values: [Option: String] = [:]
    private var paths: [String] = []

    /// - Throws: `UsageError` for an unknown option, or one without its value.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                paths += rest
                break
            }
            guard argument.hasPrefix("-"), argument.count > 1 else {
                paths.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0] == "-h" ? Option.help.rawValue : parts[0]
            let attached = parts.count > 1 ? parts[1] : nil
            if Option.isAboutPlatform(name) {
                _ = try Self.value(of: name, attached, &rest)
                warnings.append("\(name) is ignored: a compiled model is the same for all platforms")
                continue
            }
            guard let option = Option(rawValue: name) else { throw UsageError("the option \(name) is unknown") }
            if option.takesValue {
                values[option] = try Self.value(of: name, attached, &rest)
            } else if attached != nil {
                throw UsageError("the option \(name) has no value")
            } else {
                values[option] = ""
            }
        }
    }

    func has(_ option: Option) -> Bool { values[option] != nil }

    func value(_ option: Option) -> String? { values[option] }

    /// The verb of the call.
    ///
    /// - Throws: `UsageError` for two verbs, or an option that isn't for the verb.
    func verb() throws -> Verb {
        var verbs: [Verb] = []
        if has(.decompile) { verbs.append(.decompile) }
        if has(.generate) { verbs.append(.generate) }
        if let action = value(.action) {
            guard let verb = Verb(rawValue: action), verb != .decompile else {
                throw UsageError("the action '\(action)' is unknown: compile or generate")
            }
            if !verbs.contains(verb) { verbs.append(verb) }
        }
        guard verbs.count < 2 else {
            throw UsageError("\(verbs.map(\.rawValue).joined(separator: " and ")) can't be combined")
        }
        let verb = verbs.first ?? .compile
        for option in Option.allCases where has(option) {
            if let fitting = option.verbs, !fitting.contains(verb) {
                throw UsageError("the option \(option.rawValue) is not for \(verb.rawValue)")
            }
        }
        return verb
    }

    /// The source and the destination.
    func sourceAndDestination() throws -> (source: URL, destination: URL) {
        guard paths.count == 2 else {
            throw UsageError(
                paths.isEmpty
                    ? "no source and destination given"
                    : paths.count == 1
                        ? "no destination given" : "\(paths.count) paths given, instead of a source and a destination")
        }
        guard !paths.contains("") else { throw UsageError("a path is empty") }
        return (URL(fileURLWithPath: paths[0]), URL(fileURLWithPath: paths[1]))
    }

    private static func value(of name: String, _ attached: String?, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError("the option \(name) needs a value")
        }
        return value
    }
}

/// The error of invalid arguments.
struct UsageError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

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

    /// The verbs that accept the option; nil for all.
    var verbs: Set<Verb>? {
        switch self {
        case .help, .version, .action, .decompile, .generate, .noWarnings, .noInverseWarnings, .noPropertyCountWarnings,
            .noDeleteRuleWarnings:
            nil
        case .shipped: [.compile]
        case .force: [.decompile]
        // Xcode passes both options in each action.
        case .module, .swiftVersion: [.compile, .generate]
        case .style, .access, .includeManual: [.generate]
        }
    }

    /// Whether the option of Apple's tool selects the platform. Compiled models are the same for all platforms.
    static func isAboutPlatform(_ name: String) -> Bool { name == "--sdkroot" || name.hasSuffix("-deployment-target") }
}

/// The actions of the tool.
enum Verb: String {
    case compile, generate, decompile
}
