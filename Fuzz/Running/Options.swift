import CoreDataModel

/// The arguments of a run.
struct Options {
    static let usage = """
        usage: fuzz [--kind NAME]... [--seed NUMBER] [--count NUMBER] [--from NUMBER] [--time-limit SECONDS] \
        [--mutant-limit SECONDS]
                    [--seconds SECONDS]
                    [--folder PATH]
          --kind          a kind of file (\(InputKinds.all.map(\.name).joined(separator: ", "))); all without it
          --seed          the seed of the mutants (1)
          --count         mutants of each kind (10000)
          --from          the number of the first mutant (0): with --count 1, one mutant again
          --time-limit    seconds for the whole run (3600); a run that needs more has failed
          --seconds       seconds for the whole run, shared by the kinds; as many mutants as the time allows
          --mutant-limit  seconds for one mutant (20)
          --folder        where damaged files that did harm are kept (.build/fuzz)
        """

    var kinds: [any InputKind] = []
    var seed: UInt64 = 1
    var count = 10_000
    var first = 0
    var timeLimit = 3600.0
    var mutantLimit = 20.0
    /// The time limit for all kinds; nil for a number of mutants.
    var seconds: Double?
    var folder = URL(fileURLWithPath: ".build/fuzz")
    /// The progress file of a worker; nil for the run that starts workers.
    var progress: URL?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let text = rest.popFirst() else { throw FuzzError("\(name) needs a value\n\(Self.usage)") }
            func number() throws -> Int {
                guard let value = Int(text), value >= 0 else { throw FuzzError("\(name) '\(text)' is no number") }
                return value
            }
            switch name {
            case "--kind":
                guard let kind = InputKinds.named(text) else {
                    throw FuzzError("there is no kind '\(text)'\n\(Self.usage)")
                }
                kinds.append(kind)
            case "--seed": seed = UInt64(try number())
            case "--count": count = try number()
            case "--from": first = try number()
            case "--time-limit": timeLimit = Double(try number())
            case "--seconds":
                seconds = Double(try number())
                count = 1_000_000_000
            case "--mutant-limit": mutantLimit = Double(try number())
            case "--folder": folder = URL(fileURLWithPath: text)
            case "--progress": progress = URL(fileURLWithPath: text)
            default: throw FuzzError("unknown argument '\(name)'\n\(Self.usage)")
            }
        }
        if kinds.isEmpty { kinds = InputKinds.all }
    }
}
