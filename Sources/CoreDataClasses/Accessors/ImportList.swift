/// The imports of a generated file, in step with those of the sources: within a module, imports with and without
/// an access level don't mix.
struct ImportList {
    let files: [FileDeclarations]
    /// Whether public declarations of the generated file use the modules.
    let isPublic: Bool

    /// The module by which the sources import this package.
    static func framework(_ files: [FileDeclarations]) -> String {
        let imported = Set(files.lazy.flatMap(\.imports).map(\.module))
        return !imported.contains("CoreData") && imported.contains("OpenCoreData") ? "OpenCoreData" : "CoreData"
    }

    func text(_ modules: Set<String>) -> String { modules.sorted().map { line($0) + "\n" }.joined() }

    private func line(_ module: String) -> String {
        let imports = files.lazy.flatMap(\.imports).filter { $0.module == module }
        let testable = imports.contains { $0.isTestable } ? "@testable " : ""
        let levels = imports.compactMap(\.access)
        guard !levels.isEmpty else { return "\(testable)import \(SwiftName.spelled(module))" }
        let level = isPublic && levels.contains { $0 >= .public } ? "public" : "internal"
        return "\(testable)\(level) import \(SwiftName.spelled(module))"
    }
}
