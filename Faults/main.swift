import OpenCoreData

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if options.showsHelp {
        print(Options.usage)
        exit(0)
    }
    if let child = options.child {
        try Child(options, scenario: child).run()
        exit(0)
    }
    guard let program = Bundle.main.executableURL else { throw FaultError("the program's own file isn't found") }
    exit(try Run(options, program: program).all() ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("faults: \(error)\n".utf8))
    exit(2)
}
