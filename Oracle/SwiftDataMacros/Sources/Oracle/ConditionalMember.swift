import SwiftSyntax

/// The `#if` conditions around a member, outermost first.
struct Conditions {
    var texts: [String] = []

    var isEmpty: Bool { texts.isEmpty }

    func wrap(_ text: String) -> String {
        texts.map { "#if \($0)\n" }.joined() + text + texts.map { _ in "\n#endif" }.joined()
    }
}

/// A member of a type, also one in `#if` blocks.
struct ConditionalMember {
    let declaration: DeclSyntax
    let conditions: Conditions

    static func all(in list: MemberBlockItemListSyntax, under conditions: Conditions = Conditions())
        -> [ConditionalMember]
    {
        list.flatMap { item -> [ConditionalMember] in
            guard let block = item.decl.as(IfConfigDeclSyntax.self) else {
                return [ConditionalMember(declaration: item.decl, conditions: conditions)]
            }
            var earlier: [String] = []
            return block.clauses.flatMap { clause -> [ConditionalMember] in
                let condition = clause.condition?.trimmedDescription
                var inner = conditions
                inner.texts.append(
                    (earlier.map { "!(\($0))" } + (condition.map { ["(\($0))"] } ?? [])).joined(separator: " && "))
                if let condition { earlier.append(condition) }
                guard case .decls(let members) = clause.elements else { return [] }
                return all(in: members, under: inner)
            }
        }
    }
}
