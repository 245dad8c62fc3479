/// The sizes of a run: `--insert N`, `--fetch N`, `--rounds N`.
struct Options {
    var inserted = 50_000
    var fetched = 200_000
    var rounds = 5

    init(arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let text = rest.popFirst(), let number = Int(text), number > 0 else {
                throw BenchmarkError("usage: benchmarks [--insert N] [--fetch N] [--rounds N]")
            }
            switch name {
            case "--insert": inserted = number
            case "--fetch": fetched = number
            case "--rounds": rounds = number
            default: throw BenchmarkError("unknown option \(name)")
            }
        }
    }
}
