import CoreData

/// How long `NSPredicate(format:)` takes for one text. There is nothing to compare with: no other parser of the
/// language is at hand.
enum ParseTimes {
    /// What `--arm` calls it.
    static let name = "predicate parser"
    private static let repetitions = 20_000

    private struct Text: Sendable {
        let name: String
        let format: String
        let arguments: [String]
    }

    private static let texts: [Text] = [
        Text(name: "one comparison", format: "name == %@", arguments: ["Ella"]),
        Text(
            name: "typical", format: "artist.name == %@ AND ANY tags.%K BEGINSWITH[cd] %@ AND length > 180",
            arguments: ["Ella", "title", "live"]),
        Text(
            name: "long",
            format: """
                (title CONTAINS[cd] 'night' OR subtitle LIKE[c] '*moon*') AND NOT (year < 1950 OR year > 1999) AND \
                genre IN {'jazz', 'swing'} \
                AND SUBQUERY(plays, $play, $play.rating >= 4 AND $play.listener.name != nil).@count > 3 AND (length + \
                pause) * 2 < 900.5
                """,
            arguments: []),
    ]

    /// The best of some rounds for each text.
    static func lines(rounds: Int) -> [String] {
        ["parse a predicate"]
            + texts.map { text in
                var best = Double.infinity
                for _ in 0..<rounds {
                    let clock = ContinuousClock()
                    let start = clock.now
                    for _ in 0..<repetitions { _ = NSPredicate(format: text.format, argumentArray: text.arguments) }
                    best = min(best, (clock.now - start) / .seconds(1))
                }
                return "  \(text.name)  \(String(format: "%.2f", best / Double(repetitions) * 1e6)) µs"
            }
    }
}
