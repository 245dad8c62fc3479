// SPDX-License-Identifier: Apache-2.0

import CoreDataClasses
import CoreDataModel

/// `momc`: the model compiler.
enum ModelCompilerTool {
    /// Runs the verb that the arguments name.
    ///
    /// - Returns: the exit code: 0, or 1 after an error, which is printed to standard error.
    static func run(_ arguments: [String]) -> Int32 {
        // The call of the build plugin has no options.
        if arguments.first == "--prepare-target" { return TargetPreparation.run(Array(arguments.dropFirst())) }
        do {
            let arguments = try Arguments(arguments)
            if arguments.has(.help) {
                Output.print(Help.text)
                return 0
            }
            if arguments.has(.version) {
                Output.print("momc of OpenCoreData \(Help.version)")
                return 0
            }
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

/// The output of the tool: results on standard output, messages on standard error.
enum Output {
    static func print(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    /// Prints a message.
    static func report(_ message: CompilerDiagnostic) {
        FileHandle.standardError.write(Data((message.description + "\n").utf8))
    }

    /// Prints messages.
    ///
    /// - Returns: true if none of them is an error.
    static func report(_ messages: [CompilerDiagnostic]) -> Bool {
        messages.forEach(report)
        return !messages.contains { $0.severity == .error }
    }
}
