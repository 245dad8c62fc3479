import CoreDataModel

/// Damages bytes without regard to their meaning.
struct ByteMutator {
    private static let edges: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF, 0x0A, 0x22, 0x3C]

    /// A damaged copy with parts of `other`.
    static func mutate(_ data: [UInt8], other: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = data
        for _ in 0..<random.pick([1, 1, 1, 2, 3, 8]) { damage(&bytes, other, &random) }
        return bytes
    }

    private static func damage(_ bytes: inout [UInt8], _ other: [UInt8], _ random: inout SeededRandom) {
        guard !bytes.isEmpty else {
            bytes = Array(other[random.part(of: other.count)])
            return
        }
        let position = random.number(0..<bytes.count)
        switch random.number(0..<10) {
        case 0, 1, 2: bytes[position] ^= 1 << UInt8(random.number(0..<8))
        case 3: bytes[position] = UInt8(random.number(0...255))
        case 4: bytes[position] = random.pick(edges)
        case 5: bytes.removeSubrange(random.part(of: bytes.count))
        case 6: bytes.insert(contentsOf: Array(bytes[random.part(of: bytes.count)]), at: position)
        case 7: bytes.insert(contentsOf: other[random.part(of: other.count)], at: position)
        case 8: bytes.replaceSubrange(random.part(of: bytes.count), with: other[random.part(of: other.count)])
        default: bytes.removeLast(bytes.count - position)
        }
    }
}
