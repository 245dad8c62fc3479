import CoreDataModel

/// `momc SOURCE DESTINATION`.
struct CompileVerb {
    private let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() throws -> Int32 {
        let (source, destination) = try arguments.sourceAndDestination()
        for option in [Option.module, .swiftVersion] where arguments.has(option) {
            Output.tell(
                CompilerDiagnostic(
                    .warning, path: nil, "\(option.rawValue) has no meaning for a compiled model: it is for --generate")
            )
        }
        var options = ModelCompiler.Options()
        options.silencesWarnings = arguments.has(.noWarnings)
        options.silencedKinds = arguments.silencedKinds
        options.shipped = arguments.value(.shipped).map { URL(fileURLWithPath: $0) }
        do {
            let outcome = try ModelCompiler(options: options).compile(source, to: destination)
            return Output.tell(outcome.messages) ? 0 : 1
        } catch {
            Output.tell(CompilerDiagnostic(error, path: source.path))
            return 1
        }
    }
}

extension Arguments {
    /// The kinds of warnings that Apple's options switch off.
    var silencedKinds: Set<ModelFinding.Kind> {
        var kinds: Set<ModelFinding.Kind> = []
        if has(.noInverseWarnings) { kinds.insert(.inverse) }
        if has(.noPropertyCountWarnings) { kinds.insert(.propertyCount) }
        if has(.noDeleteRuleWarnings) { kinds.formUnion([.deleteRule, .cascadeCycle]) }
        return kinds
    }
}
