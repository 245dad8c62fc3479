import CoreDataModel

/// `momc`: the model compiler.
enum ModelCompilerTool {
    /// Runs the verb that the arguments name.
    ///
    /// - Returns: the exit code: 0, or 1 after an error, which is printed to standard error.
    static func run(_ arguments: [String]) -> Int32 {
        if arguments.first == "--prepare-target" { return TargetPreparation.run(Array(arguments.dropFirst())) }
        FileHandle.standardError.write(Data("momc: error: no source and destination given.\n".utf8))
        return 1
    }
}
