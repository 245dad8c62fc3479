import CoreDataClasses

/// The verb `momc --prepare-target REQUEST`: generates, for the build plugin, everything that is compiled into a target besides
/// its own sources.
struct TargetPreparation {
    private let request: TargetRequest

    /// - Returns: the exit code: 0, or 1 after errors, which are printed to standard error as a compiler prints them.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 1 else {
            report("momc: error: --prepare-target takes one argument, the request that CoreDataModelPlugin wrote")
            return 1
        }
        do {
            let request = try TargetRequest.load(at: URL(fileURLWithPath: arguments[0]))
            return try TargetPreparation(request: request).write() ? 0 : 1
        } catch {
            report("momc: error: \(error.localizedDescription)")
            return 1
        }
    }

    /// Everything is made before anything is written: after an error the files of the last build are still there, whole.
    ///
    /// - Returns: false after errors, all of which are printed.
    private func write() throws -> Bool {
        guard let classes = modelClasses() else { return false }
        let sources = try ModuleSources(
            module: request.module,
            compiled: request.sources.map(Self.source) + classes.map { SwiftSource(path: $0.path, text: $0.text) },
            rewritten: request.excluded.map { try Self.source($0.source) },
            dependencies: request.dependencies.map { dependency in
                DependencySources(module: dependency.module, sources: try dependency.sources.map(Self.source))
            })
        var outputs = classes
        var isSound = true
        func attempt(_ make: () throws -> [(path: String, text: String)]) throws {
            do {
                outputs += try make()
            } catch let error as SourceDiagnostics {
                Self.report(error.description)
                isSound = false
            }
        }
        try attempt { zip(request.excluded, try sources.rewrittenCopies()).map { ($0.generated, $1.text) } }
        try attempt { [(request.accessors, try sources.suppliedAccessors()?.text ?? GeneratedOutput.nothing)] }
        try attempt { [(request.registration, try sources.registration()?.text ?? GeneratedOutput.nothing)] }
        guard isSound else { return false }
        for output in outputs { try GeneratedOutput.write(output.text, to: output.path) }
        return true
    }

    /// - Returns: nil after errors, those of all models.
    private func modelClasses() -> [(path: String, text: String)]? {
        var files: [(path: String, text: String)] = []
        for model in request.models {
            do {
                let classes = try GeneratedModelClasses(ofModelAt: model.source, module: request.module)
                classes.messages.forEach(Self.report)
                if !classes.hasErrors { files.append((model.generated, classes.text)) }
            } catch {
                // The command that compiles the model says where and why it can't be read.
                Self.report("\(model.source): error: \(MessageText.oneLine(error.localizedDescription))")
            }
        }
        return files.count == request.models.count ? files : nil
    }

    private static func source(_ path: String) throws -> SwiftSource {
        try SwiftSource(contentsOf: URL(fileURLWithPath: path))
    }

    private static func report(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
