/// Finds what the compiler on Linux refuses in a file that is compiled unchanged.
enum ObjectiveCUse {
    /// The first use outside of `#if`, as an error that names the remedy.
    static func first(in source: LexedSource) -> SourceDiagnostic? {
        #if canImport(ObjectiveC)
            return nil
        #else
            var depth = 0
            for (index, token) in source.tokens.enumerated() {
                if token.kind == .pound {
                    if source.isWritten(token, "#if") { depth += 1 }
                    if source.isWritten(token, "#endif") { depth -= 1 }
                }
                guard depth == 0, let name = name(of: token, at: index, in: source) else { continue }
                return source.diagnostic(
                    at: token.start, "the compiler on Linux refuses \(name): \(ExtensionOverrides.remedy)")
            }
            return nil
        #endif
    }

    private static func name(of token: SwiftToken, at index: Int, in source: LexedSource) -> String? {
        if token.kind == .pound {
            return source.isWritten(token, "#selector") || source.isWritten(token, "#keyPath")
                ? source.text(token) : nil
        }
        guard source.isWritten(token, "@"), index + 1 < source.tokens.count else { return nil }
        let next = source.tokens[index + 1]
        return source.isWritten(next, "objc") || source.isWritten(next, "objcMembers") ? "@" + source.text(next) : nil
    }
}
