// SPDX-License-Identifier: Apache-2.0

import CoreDataClasses
import CoreDataModel

/// `momc`: the model compiler.
enum ModelCompilerTool {
    /// Runs the verb that the arguments name.
    ///
    /// - Returns: the exit code: 0, or 1 after an error, which is printed to standard error.
    static func run(_ arguments: [String]) -> Int32 {
        Output.prepare()
        // The call of the build plugin has no options.
        if arguments.first == "--prepare-target" { return TargetPreparation.run(Array(arguments.dropFirst())) }
        do {
            let arguments = try Arguments(arguments)
            if arguments.has(.help) { return Output.print(Help.text) }
            if arguments.has(.version) { return Output.print("momc of OpenCoreData \(Help.version)") }
            for warning in arguments.warnings { Output.report(CompilerDiagnostic(.warning, path: nil, warning)) }
            switch try arguments.verb() {
            case .compile: return try CompileVerb(arguments).run()
            case .generate: return try GenerateVerb(arguments).run()
            case .decompile: return try DecompileVerb(arguments).run()
            }
        } catch let error as UsageError {
            Output.report(CompilerDiagnostic(.error, path: nil, "\(error.message). See momc --help"))
        } catch {
            Output.report(CompilerDiagnostic(error, path: "momc"))
        }
        return 1
    }
}
