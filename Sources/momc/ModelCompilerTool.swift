import CoreDataClasses
import CoreDataModel

/// `momc`: the model compiler.
enum ModelCompilerTool {
    /// Runs the verb that the arguments name.
    ///
    /// - Returns: the exit code: 0, or 1 after an error, which is printed to standard error.
    static func run(_ arguments: [String]) -> Int32 {
        // What the build plugin asks for is no matter of options.
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
            for warning in arguments.warnings { Output.tell(CompilerDiagnostic(.warning, path: nil, warning)) }
            switch try arguments.verb() {
            case .compile: return try CompileVerb(arguments).run()
            case .generate: return try GenerateVerb(arguments).run()
            case .decompile: return try DecompileVerb(arguments).run()
            }
        } catch let error as UsageError {
            Output.tell(CompilerDiagnostic(.error, path: nil, "\(error.message) (momc --help lists the options)"))
        } catch {
            Output.tell(CompilerDiagnostic(error, path: "momc"))
        }
        return 1
    }
}
