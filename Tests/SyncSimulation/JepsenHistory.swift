import Foundation

/// A history in the form of Jepsen's: one operation a line, as a map of EDN. Steps of a replica are operations of the
/// process with its number; those of the server, of the network and of the clocks are the nemesis's.
struct JepsenHistory {
    let lines: [String]

    init(_ steps: [Step]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        lines = steps.enumerated().map { index, step in
            // A step is an object with one key: its name.
            let json = String(decoding: (try? encoder.encode(step)) ?? Data(), as: UTF8.self)
            guard let match = json.wholeMatch(of: #/\{"(?<name>\w+)":(?<value>.*)\}/#) else { return json }
            let process = json.firstMatch(of: #/"replica":(?<number>\d+)/#).map { "\($0.number)" }
            return "{:index \(index), :type :\(process == nil ? "info" : "invoke"), :process "
                + "\(process ?? ":nemesis"), :f :\(Self.keyword(match.name)), :value \(Self.edn(match.value))}"
        }
    }

    /// JSON with keywords as keys is EDN, in which commas are spaces.
    private static func edn(_ json: Substring) -> String {
        String(json.replacing(#/"(?<key>\w+)":/#) { ":\(keyword($0.key)) " }.replacing(",", with: ", "))
    }

    /// The words of a name in small letters with hyphens, as names in Clojure are.
    private static func keyword(_ name: Substring) -> String {
        name == "_0" || name == "_1"
            ? "of" : name.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
    }
}
