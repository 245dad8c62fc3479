@testable import SwiftDataExpansion

/// Calls macros with source text, as the compiler does.
enum Expansions {
    static let conformances = ["PersistentModel", "Observable", "Sendable"]

    static func expand(
        _ type: String, _ role: MacroRequest.Role, _ source: String, missing: [String] = [], named name: String? = nil,
        in context: [String] = []
    ) -> MacroExpansion {
        var request = MacroRequest(
            type: type, role: role, declaration: SourceFragment(text: source))
        request.missingConformances = missing
        request.extendedType = name
        request.context = context.map { SourceFragment(text: $0) }
        return Macros.expand(request)
    }

    /// The members of `@Model`.
    static func members(_ source: String, missing: [String] = conformances) -> String {
        expand("PersistentModelMacro", .member, source, missing: missing).source ?? ""
    }

    /// The attribute that `@Model` adds to a member.
    static func attribute(_ member: String, in type: String = "@Model class A {}") -> String? {
        expand("PersistentModelMacro", .memberAttribute, member, in: [type]).source
    }

    /// The errors of `@Model`, with the text that begins at their positions.
    static func errors(_ source: String) -> [String] {
        let expansion = expand("PersistentModelMacro", .member, source, missing: conformances)
        return expansion.diagnostics.map { diagnostic in
            let rest = String(decoding: Array(source.utf8).dropFirst(diagnostic.offset), as: UTF8.self)
            return "\(diagnostic.message) | \(rest.prefix { !$0.isNewline })"
        }
    }

    static func accessors(_ source: String, _ type: String = "PersistedPropertyMacro") -> String {
        expand(type, .accessor, source).source ?? ""
    }

    static func peers(_ source: String, in context: [String] = ["class A {}"]) -> String {
        expand("PersistedPropertyMacro", .peer, source, in: context).source ?? ""
    }
}

extension String {
    /// The text with single spaces in place of white space.
    var inOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The lines from the first one with a text up to an empty line, in one line.
    func member(_ start: String) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.firstIndex(where: { $0.contains(start) }) else { return "" }
        return lines[first...].prefix { !$0.isEmpty }.joined(separator: "\n").inOneLine
    }
}
