import OpenCoreData

/// The arguments of a run, or of a process that it starts.
struct Options {
    static let usage = """
        usage: callbacks [--callback NAME]... [--action NAME]... [--relationship NAME]... [--every NUMBER]
                         [--limit SECONDS] [--from NUMBER] [--to NUMBER]
          --callback      \(Callback.allCases.map(\.rawValue).joined(separator: ", ")); all without it
          --action        \(Action.allCases.map(\.rawValue).joined(separator: ", ")); all without it
          --relationship  \(RelationshipKind.allCases.map(\.rawValue).joined(separator: ", ")); all without it
          --every         takes the cases whose number this divides (1)
          --limit         seconds for one case (60)
          --from, --to    the numbers of the cases to run, as a run prints them
        """

    var callbacks: [Callback] = []
    var actions: [Action] = []
    var relationships: [RelationshipKind] = []
    var every = 1
    var limit = 60.0
    var first = 0
    var end = Int.max
    var showsHelp = false
    /// The file that a worker writes its progress to; nil for the run that starts workers.
    var progress: URL?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            if name == "--help" {
                showsHelp = true
                continue
            }
            guard let text = rest.popFirst() else { throw CallbackError("\(name) needs a value\n\(Self.usage)") }
            func number() throws -> Int {
                guard let value = Int(text), value >= 0 else { throw CallbackError("\(name) '\(text)' is no number") }
                return value
            }
            func value<Value: RawRepresentable>(_ type: Value.Type) throws -> Value where Value.RawValue == String {
                guard let value = Value(rawValue: text) else {
                    throw CallbackError("\(name) '\(text)' is unknown\n\(Self.usage)")
                }
                return value
            }
            switch name {
            case "--callback": callbacks.append(try value(Callback.self))
            case "--action": actions.append(try value(Action.self))
            case "--relationship": relationships.append(try value(RelationshipKind.self))
            case "--every": every = max(1, try number())
            case "--limit": limit = Double(try number())
            case "--from": first = try number()
            case "--to": end = try number()
            case "--progress": progress = URL(fileURLWithPath: text)
            default: throw CallbackError("unknown argument '\(name)'\n\(Self.usage)")
            }
        }
    }

    /// The cases of the run, each with its number among all cases.
    var cases: [(number: Int, value: Case)] {
        Case.all.enumerated().filter { number, value in
            number % every == 0 && (callbacks.isEmpty || callbacks.contains(value.callback))
                && (actions.isEmpty || actions.contains(value.action))
                && (relationships.isEmpty || relationships.contains(value.relationship)) && number >= first
                && number < end
        }.map { ($0.offset, $0.element) }
    }
}

/// A failure of the program itself, or a context that is in disorder.
struct CallbackError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
