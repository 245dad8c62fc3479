// SPDX-License-Identifier: Apache-2.0

/// An error or a note about a piece of source.
struct MacroDiagnostic: Equatable {
    enum Severity: String { case error, note }

    let message: String
    var severity = Severity.error
    /// The position in the fragment that the macro reads.
    var offset = 0
}

/// The result of a macro.
struct MacroExpansion: Equatable {
    /// The source; nil if there is none because of an error.
    var source: String?
    var diagnostics: [MacroDiagnostic] = []
}

extension JSON {
    /// The answer to a call, with diagnostics at positions in the file.
    static func result(_ expansion: MacroExpansion, of fragment: SourceFragment?) -> JSON {
        .object([
            (
                "expandMacroResult",
                .object([
                    ("expandedSource", expansion.source.map { .string($0) } ?? .null),
                    ("diagnostics", .array(expansion.diagnostics.map { diagnostic($0, in: fragment) })),
                ])
            )
        ])
    }

    private static func diagnostic(_ diagnostic: MacroDiagnostic, in fragment: SourceFragment?) -> JSON {
        .object([
            ("message", .string(diagnostic.message)),
            ("severity", .string(diagnostic.severity.rawValue)),
            (
                "position",
                .object([
                    ("fileName", .string(fragment?.fileName ?? "")),
                    ("offset", .number(Double((fragment?.offset ?? 0) + diagnostic.offset))),
                ])
            ),
            ("highlights", .array([])), ("notes", .array([])), ("fixIts", .array([])),
        ])
    }
}
