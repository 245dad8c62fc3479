// SPDX-License-Identifier: Apache-2.0

/// Decides what is done with each source of a target. No other place decides it.
///
/// | the package manager | the source | treatment |
/// | --- | --- | --- |
/// | compiles it | has a foreign use, or an override in an extension | reported: the use is an error or a warning |
/// | compiles it | has none, or only in `#if` | left alone: it is compiled as it is |
/// | excludes it | has a foreign use or such an override, or names Core Data | translated: a copy is compiled |
/// | excludes it, with its whole folder | is beside a source that is translated | translated |
/// | excludes it | is none of these | left alone: it isn't compiled |
package struct SourceTreatments {
    package enum Treatment: Equatable, Sendable {
        /// A copy is compiled, which the compiler accepts.
        case translated
        /// The source is compiled as it is. An error says why the compiler refuses it, a warning what fails at run
        /// time.
        case reported([SourceDiagnostic])
        /// The source is compiled as it is, or isn't compiled at all.
        case leftAlone

        fileprivate var reports: [SourceDiagnostic] {
            if case .reported(let reports) = self { reports } else { [] }
        }
    }

    let module: ModuleIndex
    let compiled: [FileDeclarations]
    let generated: [FileDeclarations]
    /// The excluded sources of which copies are compiled.
    let translated: [FileDeclarations]
    private var treatments: [String: Treatment] = [:]

    /// - Parameters:
    ///   - module: the name of the module.
    ///   - folder: the path of the target's folder.
    ///   - compiled: the sources that the package manager compiles.
    ///   - generated: the classes of models, which are compiled with them.
    ///   - excluded: the other sources in the folder.
    package init(
        module: String, folder: String, compiled: [SwiftSource], generated: [SwiftSource] = [], excluded: [SwiftSource]
    ) {
        func declarations(_ sources: [SwiftSource]) -> [FileDeclarations] {
            sources.map { DeclarationScanner.declarations(of: LexedSource($0)) }
        }
        let excluded = declarations(excluded)
        let folders = ExcludedFolders(of: folder, compiled: compiled.map(\.path))
        let needed = excluded.filter(Self.needsTranslation)
        let neededFolders = Set(needed.compactMap { folders.folder(of: $0.source.source.path) })
        let neededPaths = Set(needed.map(\.source.source.path))
        self.compiled = declarations(compiled)
        self.generated = declarations(generated)
        translated = excluded.filter { file in
            let path = file.source.source.path
            return neededPaths.contains(path) || folders.folder(of: path).map(neededFolders.contains) ?? false
        }
        self.module = ModuleIndex(module: module, files: self.compiled + self.generated + translated)
        for file in translated { treatments[file.source.source.path] = .translated }
        for file in self.compiled {
            let reports = Self.reports(of: file, in: self.module)
            if !reports.isEmpty { treatments[file.source.source.path] = .reported(reports) }
        }
    }

    /// The treatment of one of the sources.
    package func treatment(of source: SwiftSource) -> Treatment { treatments[source.path] ?? .leftAlone }

    /// The reports about the sources that are compiled as they are, sorted by file and line.
    package var reports: [SourceDiagnostic] {
        treatments.values.flatMap(\.reports).sorted { ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column) }
    }

    /// Whether an excluded source needs a copy.
    private static func needsTranslation(_ file: FileDeclarations) -> Bool {
        file.source.source.mentionsManagedObjects || file.imports.contains { $0.isOfFramework }
            || !file.source.foreignUses().isEmpty
            || file.members.contains { $0.isOverride && $0.scope.isExtension }
    }

    /// The uses that the compiler refuses in an unchanged source, and the uses that fail at run time.
    private static func reports(of file: FileDeclarations, in module: ModuleIndex) -> [SourceDiagnostic] {
        #if canImport(ObjectiveC)
            return []
        #else
            let uses = file.source.foreignUses().filter { !$0.isConditional }
            // The first refusal is enough: one copy mends them all.
            let refused = uses.first(where: \.kind.isRefused)
            return [refused].compactMap { $0 }.map { report(of: $0, in: file.source) }
                + uses.filter { !$0.kind.isRefused }.map { report(of: $0, in: file.source) }
                + file.members.filter { $0.isOverride && $0.scope.isExtension && $0.scope.conditions.isEmpty }.map {
                    ExtensionOverrides.report(of: $0, in: module)
                }
        #endif
    }

    private static func report(of use: ForeignUse, in source: LexedSource) -> SourceDiagnostic {
        let (problem, remedy) = use.explanation(in: source)
        let remedies = use.kind == .controllerCast ? [remedy] : [remedy, ForeignUse.exclusion]
        return source.diagnostic(
            at: source.tokens[use.index].start,
            "\(problem): \(remedies.compactMap { $0 }.joined(separator: ", or "))",
            severity: use.kind.isRefused ? .error : .warning)
    }
}

/// The folders of a target that the package manager excludes whole.
private struct ExcludedFolders {
    private let root: [String]
    private var compiledFolders: Set<[String]> = []

    init(of folder: String, compiled: [String]) {
        root = Self.components(of: folder)
        for path in compiled {
            var parent = Self.components(of: path).dropLast()
            while parent.count >= root.count, compiledFolders.insert(Array(parent)).inserted { parent.removeLast() }
        }
    }

    /// The outermost folder around a source that has no compiled source; nil if there is none.
    func folder(of path: String) -> [String]? {
        let parent = Self.components(of: path).dropLast()
        guard parent.count > root.count, parent.starts(with: root) else { return nil }
        return (root.count + 1...parent.count).lazy.map { Array(parent.prefix($0)) }
            .first { !compiledFolders.contains($0) }
    }

    private static func components(of path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
