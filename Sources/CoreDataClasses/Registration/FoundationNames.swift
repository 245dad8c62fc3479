/// Settles which class is meant by the names that Foundation on Linux declares too, but can't make: one type alias in
/// the module does.
package struct FoundationNames {
    private static let names = ["NSComparisonPredicate", "NSExpression"]
    private static let declaring: Set<String> = ["typealias", "class", "struct", "enum", "protocol", "actor"]

    private let sources: [SwiftSource]

    /// - Parameter sources: all sources of a module.
    package init(in sources: [SwiftSource]) { self.sources = sources }

    /// The aliases, as a source file; nil if the module doesn't use the names, or says itself what it means by them.
    ///
    /// They are public, since a public declaration may mention them.
    package func text() -> String? {
        guard
            sources.contains(where: { $0.text.contains("import CoreData") || $0.text.contains("import OpenCoreData") })
        else { return nil }
        var used: Set<String> = []
        var declared: Set<String> = []
        for source in sources where Self.names.contains(where: source.text.contains) {
            let lexed = LexedSource(source)
            for (index, token) in lexed.tokens.enumerated() where token.kind == .identifier {
                let name = lexed.text(token)
                guard Self.names.contains(name) else { continue }
                let before = index > 0 ? lexed.text(lexed.tokens[index - 1]) : ""
                if Self.declaring.contains(before) {
                    declared.insert(name)
                } else if before != "." {
                    used.insert(name)
                }
            }
        }
        let names = used.subtracting(declared).sorted()
        guard !names.isEmpty else { return nil }
        return "// What the names mean in this module: Foundation has classes of these names too. Made by momc.\n"
            + "public import CoreData\n\n"
            + names.map { "public typealias \($0) = CoreDataPredicates.\($0)\n" }.joined()
    }
}
