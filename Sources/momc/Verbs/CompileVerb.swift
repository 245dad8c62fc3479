// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// `momc SOURCE DESTINATION`.
struct CompileVerb {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws -> Int32 {
        let (source, destination) = try arguments.sourceAndDestination()
        if arguments.has(.swiftVersion) {
            Output.report(
                CompilerDiagnostic(
                    .warning, path: nil, "\(Option.swiftVersion.rawValue) is ignored: it is for --generate"))
        }
        var options = ModelCompiler.Options()
        options.module = try arguments.module()
        options.silencesWarnings = arguments.has(.noWarnings)
        options.silencedKinds = arguments.silencedKinds
        options.shipped = arguments.value(.shipped).map { URL(fileURLWithPath: $0) }
        do {
            let outcome = try ModelCompiler(options: options).compile(source, to: destination)
            return Output.report(outcome.messages) ? 0 : 1
        } catch {
            Output.report(CompilerDiagnostic(error, path: source.path))
            return 1
        }
    }
}

extension Arguments {
    /// The module of the model's own classes; nil if it isn't given.
    ///
    /// - Throws: `UsageError` for text that can't be the name of a module.
    func module() throws -> String? {
        guard let module = value(.module) else { return nil }
        guard SwiftName.isIdentifier(module) else { throw UsageError("'\(module)' is no valid module name") }
        return module
    }

    /// The warnings that Apple's options disable.
    var silencedKinds: Set<ModelFinding.Kind> {
        var kinds: Set<ModelFinding.Kind> = []
        if has(.noInverseWarnings) { kinds.insert(.inverse) }
        if has(.noPropertyCountWarnings) { kinds.insert(.propertyCount) }
        if has(.noDeleteRuleWarnings) { kinds.formUnion([.deleteRule, .cascadeCycle]) }
        return kinds
    }
}

/// `momc --decompile SOURCE DESTINATION`.
struct DecompileVerb {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws -> Int32 {
        let (source, destination) = try arguments.sourceAndDestination()
        do {
            let findings = try ModelDecompiler(replaces: arguments.has(.force)).decompile(source, to: destination)
            let messages = findings.filter { _ in !arguments.has(.noWarnings) }
            return Output.report(messages) ? 0 : 1
        } catch {
            Output.report(CompilerDiagnostic(error, path: source.path))
            return 1
        }
    }
}
