/// The declared types of a module, by path.
struct ModuleIndex {
    let module: String
    let files: [FileDeclarations]
    private let types: [String: [DeclaredType]]

    init(module: String, files: [FileDeclarations]) {
        self.module = module
        self.files = files
        types = Dictionary(grouping: files.lazy.flatMap(\.types), by: { $0.path.joined(separator: ".") })
    }

    /// The type of a path that a source sees; a private one only in its own file.
    func type(at path: [String], from source: LexedSource?) -> DeclaredType? {
        guard let candidates = types[path.joined(separator: ".")] else { return nil }
        return candidates.first { $0.source === source } ?? candidates.first { !$0.isHidden }
    }
}
