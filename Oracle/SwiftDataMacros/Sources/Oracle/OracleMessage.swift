import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An error or a note of a macro.
struct OracleMessage: DiagnosticMessage {
    let message: String
    var severity = DiagnosticSeverity.error
    var diagnosticID: MessageID { MessageID(domain: "SwiftData", id: message) }
}

extension MacroExpansionContext {
    func report(_ message: String, at node: some SyntaxProtocol, severity: DiagnosticSeverity = .error) {
        diagnose(Diagnostic(node: node, message: OracleMessage(message: message, severity: severity)))
    }
}

extension TokenSyntax {
    /// The name without backticks.
    var plainName: String {
        let text = self.text
        return text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text
    }
}

extension AttributeListSyntax {
    /// The attribute of the macro, written with its module or without it. Attributes in `#if` blocks don't count.
    func macro(_ name: String) -> AttributeSyntax? {
        for case .attribute(let attribute) in self
        where [name, "SwiftData.\(name)"].contains(attribute.attributeName.trimmedDescription) {
            return attribute
        }
        return nil
    }
}

extension DeclModifierListSyntax {
    func has(_ keywords: Keyword...) -> Bool {
        contains { modifier in
            modifier.detail == nil && keywords.contains { modifier.name.tokenKind == .keyword($0) }
        }
    }

    /// The access of generated members, with a space behind it.
    var memberPrefix: String { has(.public, .open) ? "public " : has(.package) ? "package " : "" }
}
