// SPDX-License-Identifier: Apache-2.0

import CoreDataClasses

/// The verb `momc --prepare-target REQUEST`. For the build plugin, it generates the files that are compiled into a
/// target in addition to its sources.
struct TargetPreparation {
    /// The text of a file that the package manager expects, but that isn't needed.
    static let nothing = "// Nothing is needed here.\n"

    private typealias File = (path: String, text: String)

    private let request: TargetRequest
    /// Whether errors were printed.
    private var hasErrors = false

    private init(_ request: TargetRequest) { self.request = request }

    /// - Returns: the exit code: 0, or 1 after errors, which are printed to standard error as a compiler prints them.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 1 else {
            report(
                CompilerDiagnostic(
                    .error, path: nil, "--prepare-target needs one argument, the request of CoreDataModelPlugin"
                ))
            return 1
        }
        do {
            let request = try TargetRequest.load(at: URL(fileURLWithPath: arguments[0]))
            if let configuration = request.configuration, hasChanged(configuration) {
                report(
                    CompilerDiagnostic(
                        .error, path: configuration.path,
                        """
                        the file changed after the package manager planned the build. Save Package.swift again \
                        (touch Package.swift), so that it asks the plugin again
                        """))
                return 1
            }
            var preparation = TargetPreparation(request)
            try preparation.write()
            return preparation.hasErrors ? 1 : 0
        } catch {
            report(CompilerDiagnostic(error, path: arguments[0]))
            return 1
        }
    }

    /// The package manager runs the plugin again when files come or go, not when their contents change.
    private static func hasChanged(_ configuration: TargetRequest.Configuration) -> Bool {
        (try? String(contentsOfFile: configuration.path, encoding: .utf8)) != configuration.text
    }

    /// Generates all files before the first one is written: an error leaves the files of the last build unchanged.
    private mutating func write() throws {
        let request = request
        let models = modelClasses()
        let classes = models.map { File(path: $0.generated, text: $0.classes.text) }
        // After an error in a model, errors in sources may be consequences of it.
        if hasErrors { return }
        let compiled = try request.sources.map(Self.source)
        let generated = classes.map { SwiftSource(path: $0.path, text: $0.text) }
        let excluded = try request.excluded.map { (source: try Self.source($0.source), copy: $0.generated) }
        let treatments = SourceTreatments(
            module: request.module, folder: request.folder, compiled: compiled, generated: generated,
            excluded: excluded.map(\.source))
        report(treatments.reports)
        let rewritten = excluded.filter { treatments.treatment(of: $0.source) == .translated }
        let own = compiled + generated + rewritten.map(\.source)
        let sources = ModuleSources(
            treatments,
            dependencies: own.contains(where: \.mentionsManagedObjects)
                ? try request.dependencies.map(Self.dependency) : [])
        reportMissingClasses(of: models.map(\.classes), in: sources)
        if hasErrors { return }
        var outputs: [File] = zip(classes, sources.completedClasses()).map { ($0.path, $1) }
        outputs += try attempt { zip(rewritten, try sources.rewrittenCopies()).map { ($0.copy, $1.text) } }
        outputs += excluded.map(\.copy).filter { copy in !rewritten.contains { $0.copy == copy } }.map {
            ($0, Self.nothing)
        }
        outputs += try attempt { [(request.accessors, try sources.generatedAccessors()?.text ?? Self.nothing)] }
        outputs.append((request.registration, sources.registration()?.text ?? Self.nothing))
        outputs.append((request.names, FoundationNames(in: own).text() ?? Self.nothing))
        if hasErrors { return }
        StaleModels(request).remove()
        for output in outputs { try OutputFile.write(Data(output.text.utf8), to: URL(fileURLWithPath: output.path)) }
    }

    /// The files of all models. After an error in a model, the other models are still processed.
    private mutating func modelClasses() -> [(generated: String, classes: GeneratedModelClasses)] {
        request.models.compactMap { model in
            do {
                let classes = try GeneratedModelClasses(ofModelAt: model.source, module: request.module)
                for message in classes.messages {
                    Self.report(message)
                    if message.severity == .error { hasErrors = true }
                }
                return (model.generated, classes)
            } catch {
                Self.report(CompilerDiagnostic(error, path: model.source))
                hasErrors = true
                return nil
            }
        }
    }

    /// Reports the classes that no source declares. The compiler would report each line of their generated extensions.
    private mutating func reportMissingClasses(of models: [GeneratedModelClasses], in sources: ModuleSources) {
        for model in models {
            for missing in model.extendedClasses where !sources.declaresType(named: missing.name) {
                Self.report(
                    CompilerDiagnostic(
                        .error, path: model.path,
                        """
                        the entity '\(missing.entity)' has the code generation "Category/Extension", and no source of \
                        the target declares its class '\(missing.name)'. Declare the class, or set "Codegen" of the \
                        entity to "Class Definition" in the model
                        """))
                hasErrors = true
            }
        }
    }

    /// Prints errors in sources, and throws other errors.
    private mutating func attempt(_ make: () throws -> [File]) throws -> [File] {
        do {
            return try make()
        } catch let error as SourceDiagnostics {
            report(error.all)
            return []
        }
    }

    private mutating func report(_ diagnostics: [SourceDiagnostic]) {
        for diagnostic in diagnostics {
            try? FileHandle.standardError.write(contentsOf: Data((diagnostic.description + "\n").utf8))
            if diagnostic.severity == .error { hasErrors = true }
        }
    }

    /// The sources of a dependency don't contain the classes of its models. Errors in its models are reported when the
    /// dependency is built.
    private static func dependency(_ dependency: TargetRequest.Dependency) throws -> DependencySources {
        let classes = dependency.models.compactMap { model in
            (try? GeneratedModelClasses(ofModelAt: model, module: dependency.module)).map {
                SwiftSource(path: model, text: $0.text)
            }
        }
        return DependencySources(module: dependency.module, sources: try dependency.sources.map(source) + classes)
    }

    private static func source(_ path: String) throws -> SwiftSource {
        do {
            return try SwiftSource(contentsOf: URL(fileURLWithPath: path))
        } catch {
            let message = "the source can't be read: \(error.localizedDescription)"
            throw CoreDataErrors.cocoaError(
                (error as? CocoaError)?.code ?? .fileReadUnknown, message: message, reason: message,
                userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: error])
        }
    }

    private static func report(_ message: CompilerDiagnostic) { Output.report(message) }
}
