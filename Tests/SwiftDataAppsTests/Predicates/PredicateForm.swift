import Foundation
import SwiftData
import TestSupport

/// A predicate with random constants.
struct PredicateForm: Sendable {
    let name: String
    let make: @Sendable (inout SeededGenerator) -> Predicate<Goods>

    init(_ name: String, _ make: @escaping @Sendable (inout SeededGenerator) -> Predicate<Goods>) {
        self.name = name
        self.make = make
    }

    static let all =
        numbers + values + optionals + texts + enumerations + structures + relationships + classes + combinations
}
