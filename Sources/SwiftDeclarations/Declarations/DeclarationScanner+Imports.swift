// SPDX-License-Identifier: Apache-2.0

extension DeclarationScanner {
    /// Reads an import.
    mutating func importDeclaration(_ marks: [DeclarationMark], _ scope: DeclarationScope) {
        index += 1
        var isOfDeclaration = false
        if let token, isName(at: index + 1), !source.tokens[index + 1].startsLine,
            ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"].contains(source.text(token))
        {
            index += 1
            isOfDeclaration = true
        }
        guard let token, isName(at: index) else { return }
        let isOfSubmodule = !isOfDeclaration && isAt(".", offset: 1) && isName(at: index + 2)
        result.imports.append(
            DeclaredImport(
                module: source.name(token), access: marks.lazy.compactMap { DeclaredAccess(modifier: $0.name) }.first,
                isTestable: marks.contains { $0.name == "@testable" }, conditions: scope.conditions,
                submoduleRange: isOfSubmodule ? token.end..<source.tokens[index + 2].end : nil))
        index += 1
    }
}
