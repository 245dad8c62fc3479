// SPDX-License-Identifier: Apache-2.0

/// The imports of a generated file. They follow the imports of the sources: in one module, imports with and without an
/// access level can't be mixed.
struct ImportList {
    let files: [FileDeclarations]
    /// Whether public declarations of the generated file use the imported modules.
    let isPublic: Bool

    /// The module of this package that the sources import.
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
