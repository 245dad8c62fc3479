import OpenCoreData

/// The arguments of a run, or of a process that it starts.
struct Options {
    private static let operations = FailureOperations.all.map(\.name).joined(separator: ", ")

    static let usage = """
        usage: faults [--scenario NAME]... [--seed NUMBER] [--kills NUMBER] [--rows NUMBER] [--megabytes NUMBER]
                      [--operation NAME]... [--stride NUMBER] [--folder PATH]
          --scenario  \(Scenarios.all.map(\.name).joined(separator: ", ")); all without it
          --seed      the seed of the moments at which processes are killed (COREDATA_SEED, or a random number)
          --kills     kills, backups, or pairs of rounds, of each scenario that makes them (40)
          --rows      rows of the scenario with many rows (100000)
          --megabytes size of the store that the command migrates (8)
          --operation operations of the loops over failures: \(operations)
          --stride    one of so many allocations of SQLite fails in these loops, from a random one on (7), and of a
                      seventh as many calls on files
          --folder    where the stores of failed rounds stay (.build/faults)
        """

    var scenarios: [any Scenario] = []
    var seed = ProcessInfo.processInfo.environment["COREDATA_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...999_999)
    var kills = 40
    var rows = 100_000
    var megabytes = 8
    var folder = URL(fileURLWithPath: ".build/faults")
    /// The operations of the loops over failures; all if it is empty.
    var operations: [String] = []
    var stride = 7
    var showsHelp = false
    /// The scenario of a process that this program has started; nil for the program itself.
    var child: (any Scenario)?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--help" {
                showsHelp = true
                continue
            }
            guard let text = rest.popFirst() else { throw FaultError("\(name) needs a value\n\(Self.usage)") }
            func number() throws -> Int {
                guard let value = Int(text), value >= 0 else { throw FaultError("\(name) '\(text)' is no number") }
                return value
            }
            func scenario() throws -> any Scenario {
                guard let found = Scenarios.all.first(where: { $0.name == text }) else {
                    throw FaultError("there is no scenario '\(text)'\n\(Self.usage)")
                }
                return found
            }
            switch name {
            case "--scenario": scenarios.append(try scenario())
            case "--child": child = try scenario()
            case "--seed": seed = UInt64(try number())
            case "--kills": kills = try number()
            case "--rows": rows = try number()
            case "--megabytes": megabytes = try number()
            case "--operation":
                guard FailureOperations.all.contains(where: { $0.name == text }) else {
                    throw FaultError("there is no operation '\(text)'\n\(Self.usage)")
                }
                operations.append(text)
            case "--stride": stride = max(1, try number())
            case "--folder": folder = URL(fileURLWithPath: text)
            default: throw FaultError("unknown argument '\(name)'\n\(Self.usage)")
            }
        }
        if scenarios.isEmpty { scenarios = Scenarios.all }
    }

    /// The distance between the points of a loop.
    func step(_ kind: FailureKind) -> Int { kind == .memory ? stride : max(1, stride / 7) }

    /// Whether the loops over failures have an operation.
    func takes(_ operation: String) -> Bool { operations.isEmpty || operations.contains(operation) }
}

/// A broken promise of a store, or a failure of the program itself.
struct FaultError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws an error with a text unless a condition holds.
func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    guard condition else { throw FaultError(text()) }
}
