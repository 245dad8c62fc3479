import TestSupport

/// Reproducible random numbers of the mutators.
struct SeededRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    /// The numbers for one mutant. They depend on the seed of the run, the kind and the number of the mutant only, so
    /// that a mutant can be made without the mutants before it.
    init(seed: UInt64, kind: String, number: Int) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in kind.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let state = seed &* 0x9E37_79B9_7F4A_7C15 ^ hash &+ UInt64(number) &* 0xD134_2543_DE82_EF95
        generator = SeededGenerator(seed: state)
        _ = next()
    }

    mutating func next() -> UInt64 { generator.next() }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// True with the probability 1 / count.
    mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// A random range in a collection with a number of elements. Short ranges are more likely.
    mutating func part(of count: Int) -> Range<Int> {
        guard count > 0 else { return 0..<0 }
        let limit = min(count, pick([4, 16, 64, 512, count]))
        let length = number(1...limit)
        let start = number(0...(count - length))
        return start..<(start + length)
    }
}
