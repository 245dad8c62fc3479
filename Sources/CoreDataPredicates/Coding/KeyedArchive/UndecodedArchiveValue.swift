// SPDX-License-Identifier: Apache-2.0

/// An archived value of an unknown class, for example of an application's class as the default value of a transformable
/// attribute. It is preserved as it was archived, and written unchanged.
final class UndecodedArchiveValue: NSObject, NSCopying, @unchecked Sendable {
    // Sendable: it has no mutable state.

    /// The name of the class in the archive.
    let className: String
    /// The value and the objects that it refers to, as the `$objects` of an archive: 0 is nil, the value is 1.
    let objects: [PropertyListValue]

    init(_ root: KeyedArchiveObject, budget: KeyedArchiveBudget = KeyedArchiveBudget()) throws {
        className = root.className
        var positions = [root.index: 1]
        var waiting = [root.index]
        var copies: [PropertyListValue] = [.string("$null")]
        var next = 0
        while next < waiting.count {
            let source = root.archive.objects[waiting[next]]
            next += 1
            copies.append(
                try source.mappingReferences { reference in
                    guard reference > 0 else { return 0 }
                    guard root.archive.objects.indices.contains(reference) else {
                        throw keyedArchiveError(
                            """
                            a reference has the index \(reference) of \
                            \(Wording.count(root.archive.objects.count, "object"))
                            """
                        )
                    }
                    if let position = positions[reference] { return position }
                    try budget.spend()
                    waiting.append(reference)
                    positions[reference] = waiting.count
                    return waiting.count
                })
        }
        objects = copies
    }

    func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? UndecodedArchiveValue).map { $0.className == className && $0.objects == objects } ?? false
    }

    override var hash: Int { className.hashValue }

    override var description: String { "<archived \(className)>" }
}

extension PropertyListValue {
    /// The value with every reference in it replaced.
    func mappingReferences(_ map: (Int) throws -> Int) rethrows -> PropertyListValue {
        switch self {
        case .uid(let index): return .uid(try map(index))
        case .array(let values): return .array(try values.map { try $0.mappingReferences(map) })
        case .set(let values): return .set(try values.map { try $0.mappingReferences(map) })
        case .dictionary(let dictionary):
            return .dictionary(
                PropertyListDictionary(
                    try dictionary.entries.map {
                        (key: $0.key, value: try $0.value.mappingReferences(map))
                    }))
        default: return self
        }
    }
}
