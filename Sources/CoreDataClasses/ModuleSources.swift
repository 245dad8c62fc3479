// SPDX-License-Identifier: Apache-2.0

/// The Swift sources of one module, which are prepared for a compiler without Objective-C.
///
/// Files that the compiler accepts need bodies for their `@NSManaged` declarations. Files that it refuses are excluded
/// from the target, and rewritten copies of them are compiled.
///
/// ```swift
/// let sources = ModuleSources(module: "App", compiled: compiled, rewritten: excluded, dependencies: [])
/// let files = try [sources.generatedAccessors(), sources.registration()].compactMap { $0 } + sources.rewrittenCopies()
/// ```
package struct ModuleSources {
    /// The names of the files of `generatedAccessors()` and `registration(extra:)`.
    static let accessorsFileName = "ManagedAccessors.swift"
    static let registrationFileName = "ManagedClasses.swift"

    private let resolver: TypeResolver
    private let compiled: [FileDeclarations]
    private let generated: [FileDeclarations]
    private let rewritten: [FileDeclarations]
    private let overrides: ExtensionOverrides

    /// - Parameters:
    ///   - module: the module's name.
    ///   - compiled: the sources that are compiled unchanged.
    ///   - generated: the classes of models, which the sources may extend.
    ///   - rewritten: the sources that are excluded from the target, and compiled as rewritten copies.
    ///   - dependencies: the sources of imported modules, which may declare types of properties.
    package init(
        module: String, compiled: [SwiftSource], generated: [SwiftSource] = [], rewritten: [SwiftSource] = [],
        dependencies: [DependencySources] = []
    ) {
        func declarations(_ sources: [SwiftSource]) -> [FileDeclarations] {
            sources.map { DeclarationScanner.declarations(of: LexedSource($0)) }
        }
        let (compiled, generated, rewritten) = (
            declarations(compiled), declarations(generated), declarations(rewritten)
        )
        self.init(
            ModuleIndex(module: module, files: compiled + generated + rewritten), compiled: compiled,
            generated: generated, rewritten: rewritten, dependencies: dependencies)
    }

    /// - Parameters:
    ///   - treatments: the sources of a target.
    ///   - dependencies: the sources of imported modules.
    package init(_ treatments: SourceTreatments, dependencies: [DependencySources]) {
        self.init(
            treatments.module, compiled: treatments.compiled, generated: treatments.generated,
            rewritten: treatments.translated, dependencies: dependencies)
    }

    private init(
        _ index: ModuleIndex, compiled: [FileDeclarations], generated: [FileDeclarations],
        rewritten: [FileDeclarations], dependencies: [DependencySources]
    ) {
        self.compiled = compiled
        self.generated = generated
        self.rewritten = rewritten
        resolver = TypeResolver(own: index, dependencies: dependencies)
        overrides = ExtensionOverrides(index: index, compiled: compiled, rewritten: rewritten)
    }

    /// The name of a rewritten copy. It differs from the original name, since the compiler warns of equal file names.
    static func rewrittenFileName(of path: String) -> String {
        "Managed-" + (path.split(separator: "/").last.map(String.init) ?? path)
    }

    /// The bodies of all `@NSManaged` properties and methods of the compiled files; nil if there are none.
    ///
    /// - Throws: `SourceDiagnostics` with each declaration for which no body can be generated.
    package func generatedAccessors() throws -> GeneratedFile? {
        var supply = AccessorGenerator(resolver: resolver, files: compiled)
        let text = supply.text()
        try Self.check(supply.diagnostics)
        return text.map { GeneratedFile(name: Self.accessorsFileName, text: $0) }
    }

    /// The copies of the excluded files, in their order.
    ///
    /// - Throws: `SourceDiagnostics` with each part that can't be rewritten.
    package func rewrittenCopies() throws -> [GeneratedFile] {
        var diagnostics = overrides.diagnostics + classesDeclaredTwice()
        let optionalMethodNames = Set(
            resolver.own.files.lazy.flatMap(\.members).filter {
                $0.scope.isProtocol && $0.hasMark("optional") && $0.method != nil
            }.map(\.name))
        let copies = rewritten.map { file in
            var rewriter = SourceRewriter(
                file, resolver: resolver, overrides: overrides, optionalMethodNames: optionalMethodNames)
            let text = rewriter.text()
            diagnostics += rewriter.diagnostics
            return GeneratedFile(name: Self.rewrittenFileName(of: file.source.source.path), text: text)
        }
        try Self.check(diagnostics)
        return copies
    }

    /// The classes that a model generates and a source declares too.
    private func classesDeclaredTwice() -> [SourceDiagnostic] {
        let classes = Set(
            generated.lazy.flatMap(\.types).filter { $0.scope.path.isEmpty && $0.kind == .class }.map(\.name))
        return (compiled + rewritten).lazy.flatMap(\.types).filter {
            $0.scope.path.isEmpty && $0.scope.conditions.isEmpty && classes.contains($0.name)
        }.map { type in
            type.source.diagnostic(
                at: type.offset,
                """
                the model generates a class '\(type.name)' too. Set "Codegen" of its entity to "Manual/None" or \
                "Category/Extension" in the model, or remove this class
                """)
        }
    }

    /// Whether a source of the module or of its dependencies declares a type at the top level.
    package func declaresType(named name: String) -> Bool { resolver.declaresType(named: name) }

    /// The classes of models with the overrides that extensions of them declare, in their order.
    package func completedClasses() -> [String] {
        generated.map { file in
            var text = file.source.bytes
            for addition in overrides.additions(to: file.source).sorted(by: { $0.offset > $1.offset }) {
                text.insert(contentsOf: Array(addition.text.utf8), at: addition.offset)
            }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// Code that registers the module's classes by name before the program starts; nil if there are none.
    ///
    /// - Parameter extra: the names of other classes, such as those generated from models, written as in Swift.
    package func registration(extra: [String] = []) -> GeneratedFile? {
        ClassRegistration(resolver: resolver, extra: extra).text().map {
            GeneratedFile(name: Self.registrationFileName, text: $0)
        }
    }

    private static func check(_ diagnostics: [SourceDiagnostic]) throws {
        guard !diagnostics.isEmpty else { return }
        throw SourceDiagnostics(diagnostics.sorted { ($0.path, $0.line, $0.column) < ($1.path, $1.line, $1.column) })
    }
}
