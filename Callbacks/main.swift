import OpenCoreData

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if options.showsHelp {
        print(Options.usage)
        exit(0)
    }
    if let progress = options.progress {
        try Worker(options, progress: progress).run()
        exit(0)
    }
    guard let program = Bundle.main.executableURL else { throw CallbackError("the program's own file isn't found") }
    exit(try Run(options, program: program).all() ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("callbacks: \(error)\n".utf8))
    exit(2)
}
