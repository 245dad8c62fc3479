// SPDX-License-Identifier: Apache-2.0

import CoreDataClasses
import CoreDataModel

/// `momc`: the model compiler.
enum ModelCompilerTool {
    /// Runs the verb that the arguments name.
    ///
    /// - Returns: the exit code: 0, or 1 after an error, which is printed to standard error.
    static func run(_ arguments: [String]) -> Int32 {
        // A closed pipe is a failed write.
        signal(SIGPIPE, SIG_IGN)
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

/// The output of the tool: results on standard output, messages on standard error.
enum Output {
    /// Prints a result.
    ///
    /// - Returns: the exit code: 0, or 1 if the output can't be written.
    static func print(_ text: String) -> Int32 {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
            return 0
        } catch {
            let cause = error as NSError
            let posix = cause.userInfo[NSUnderlyingErrorKey] as? NSError ?? cause
            report(CompilerDiagnostic(.error, path: nil, "the output can't be written: \(posix.localizedDescription)"))
            return 1
        }
    }

    /// Prints a message. The exit code says what happened also when the message can't be printed.
    static func report(_ message: CompilerDiagnostic) {
        try? FileHandle.standardError.write(contentsOf: Data((message.description + "\n").utf8))
    }

    /// Prints messages.
    ///
    /// - Returns: true if none of them is an error.
    static func report(_ messages: [CompilerDiagnostic]) -> Bool {
        messages.forEach(report)
        return !messages.contains { $0.severity == .error }
    }
}
