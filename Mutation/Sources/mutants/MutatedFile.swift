import SwiftOperators
import SwiftParser
import SwiftSyntax

/// One change of a source, which the program makes when its number is the active one.
struct Mutant {
    let number: Int
    let line: Int
    /// The function, initializer or variable that contains it, with its types.
    let declaration: String
    let change: String
    /// The text that is changed, in one line.
    let text: String
}

/// A source with switches: each mutated place asks at run time whether its mutant is active. The lines stay the same.
struct MutatedFile {
    let mutants: [Mutant]
    let text: String

    /// - Parameter refused: the numbers of mutants that stay out of the text, because the compiler refuses them.
    init(_ source: String, firstNumber: Int, refused: Set<Int>) {
        let tree = Parser.parse(source: source)
        // An operator that is not in the table stays in a sequence, which is not mutated.
        let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
        let finder = MutantFinder(
            locations: SourceLocationConverter(fileName: "", tree: folded), firstNumber: firstNumber, refused: refused)
        finder.walk(folded)
        mutants = finder.mutants
        text = Insertion.apply(finder.insertions, to: source)
    }
}

/// A text that is inserted into a source, or that replaces a part of it.
struct Insertion {
    /// The order of insertions at one place: the end of an inner node comes before the end of an outer one, and before
    /// the begin of a node.
    enum Rank: Comparable {
        case end(start: Int)
        case begin(end: Int)

        static func < (first: Rank, second: Rank) -> Bool {
            switch (first, second) {
            case (.end(let first), .end(let second)): first > second
            case (.begin(let first), .begin(let second)): first > second
            case (.end, .begin): true
            case (.begin, .end): false
            }
        }
    }

    let offset: Int
    let rank: Rank
    let text: String
    /// The number of bytes that it replaces.
    var length = 0

    static func apply(_ insertions: [Insertion], to source: String) -> String {
        let bytes = Array(source.utf8)
        var result: [UInt8] = []
        var position = 0
        // The outer one of two insertions with one begin and end was found first.
        let ordered = insertions.enumerated().sorted { one, other in
            if one.element.offset != other.element.offset { return one.element.offset < other.element.offset }
            if one.element.rank != other.element.rank { return one.element.rank < other.element.rank }
            if case .end = one.element.rank { return one.offset > other.offset }
            return one.offset < other.offset
        }
        for (_, insertion) in ordered {
            result += bytes[position..<insertion.offset]
            result += Array(insertion.text.utf8)
            position = insertion.offset + insertion.length
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }
}
