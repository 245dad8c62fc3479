import CoreDataModel

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == ["--help"] {
        print(Options.usage)
        exit(0)
    }
    let options = try Options(arguments)
    if let progress = options.progress {
        try Worker(kind: options.kinds[0], options: options).run(progress: progress)
        exit(0)
    }
    guard let program = Bundle.main.executableURL else { throw FuzzError("the fuzzer's own file isn't found") }
    exit(try Run(options, program: program).all() ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("fuzz: \(error)\n".utf8))
    exit(2)
}
