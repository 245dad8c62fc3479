/// The sizes of a run: `--insert N`, `--fetch N`, `--batch N`, `--rounds N`; `--arm NAME` keeps the arms whose name has
/// that text.
struct Options {
    var inserted = 50_000
    var fetched = 200_000
    var batched = 1_000_000
    var rounds = 5
    var arm: String?

    init(arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            let text = rest.popFirst()
            if name == "--arm", let text {
                arm = text
                continue
            }
            guard let text, let number = Int(text), number > 0 else {
                throw BenchmarkError("usage: benchmarks [--insert N] [--fetch N] [--batch N] [--rounds N] [--arm NAME]")
            }
            switch name {
            case "--insert": inserted = number
            case "--fetch": fetched = number
            case "--batch": batched = number
            case "--rounds": rounds = number
            default: throw BenchmarkError("unknown option \(name)")
            }
        }
    }
}
