import CoreDataModel

/// `momc --decompile SOURCE DESTINATION`.
struct DecompileVerb {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws -> Int32 {
        let (source, destination) = try arguments.sourceAndDestination()
        do {
            let findings = try ModelDecompiler(replaces: arguments.has(.force)).decompile(source, to: destination)
            let messages = findings.filter { _ in !arguments.has(.noWarnings) }
            return Output.tell(messages) ? 0 : 1
        } catch {
            Output.tell(CompilerDiagnostic(error, path: source.path))
            return 1
        }
    }
}
