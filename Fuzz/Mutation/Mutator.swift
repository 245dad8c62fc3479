import CoreDataModel

/// The way in which the files of a kind are damaged.
enum MutationForm: Sendable {
    /// Text, with the words of the format.
    case text([String])
    /// A property list, written as binary or as XML.
    case propertyList
    /// A property list compressed as in a store.
    case compressed
    /// Bytes without a structure that the mutator knows.
    case bytes
}

/// Makes the mutants of one kind. The same seed, kind, number and samples give the same mutant.
struct Mutator {
    private struct Sample {
        let bytes: [UInt8]
        let list: PropertyListValue?
    }

    private let kind: any InputKind
    private let seed: UInt64
    private let samples: [Sample]

    init(_ kind: any InputKind, seed: UInt64) throws {
        self.kind = kind
        self.seed = seed
        samples = try kind.samples().map { data in
            switch kind.form {
            case .text, .bytes: return Sample(bytes: Array(data), list: nil)
            case .propertyList: return Sample(bytes: Array(data), list: try PropertyListReader.read(data))
            case .compressed:
                return Sample(bytes: Array(data), list: try PropertyListReader.read(StoredModelCache.expand(data)))
            }
        }
        guard !samples.isEmpty else { throw FuzzError("there is no sample of the kind '\(kind.name)'") }
    }

    func mutant(_ number: Int) throws -> Data {
        var random = SeededRandom(seed: seed, kind: kind.name, number: number)
        let sample = random.pick(samples)
        let other = random.pick(samples)
        switch kind.form {
        case .text(let words):
            return Data(TextMutator(words: words).mutate(sample.bytes, other: other.bytes, &random))
        case .bytes:
            return Data(ByteMutator.mutate(sample.bytes, other: other.bytes, &random))
        case .propertyList:
            guard let list = sample.list, let otherList = other.list, !random.once(in: 4) else {
                return Data(ByteMutator.mutate(sample.bytes, other: other.bytes, &random))
            }
            let mutated = PropertyListMutator.mutate(list, other: otherList, &random)
            return sample.bytes.starts(with: Array("bplist".utf8))
                ? BinaryPropertyListWriter.write(mutated) : PropertyListXML.data(mutated)
        case .compressed:
            guard let list = sample.list, let otherList = other.list, !random.once(in: 4) else {
                return Data(ByteMutator.mutate(sample.bytes, other: other.bytes, &random))
            }
            return try StoredModelCache.compress(
                BinaryPropertyListWriter.write(PropertyListMutator.mutate(list, other: otherList, &random)))
        }
    }
}
