// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The order of names in version hashes and model caches: the bytes of the UTF-8 form. Capital letters come before
    /// small letters.
    package func precedesBytewise(_ other: String) -> Bool {
        // Native strings have contiguous storage. The loop is written out for the debug builds of the model compiler.
        let result = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                var index = 0
                while index < left.count, index < right.count {
                    if left[index] != right[index] { return left[index] < right[index] }
                    index &+= 1
                }
                return left.count < right.count
            }
        }
        return result.flatMap { $0 } ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}

extension Sequence {
    /// The elements in the order of version names: numbers in names are compared by value.
    package func sortedByVersionName(_ name: (Element) -> String) -> [Element] {
        sorted { name($0).compare(name($1), options: [.numeric, .literal]) == .orderedAscending }
    }

    /// The elements in the bytewise order of their names. Elements with equal names keep their order.
    ///
    /// The sorting algorithm runs on the names and indices alone. It is therefore compiled once, and not for each type
    /// of element.
    package func sortedBytewise(by name: (Element) -> String) -> [Element] {
        let elements = Array(self)
        return NameOrder.indices(elements.map(name)).map { elements[$0] }
    }
}

extension Sequence<String> {
    /// The names in bytewise order.
    package func sortedBytewise() -> [String] { sortedBytewise { $0 } }
}

private enum NameOrder {
    /// The indices of the names in bytewise order. The sort is stable.
    static func indices(_ names: [String]) -> [Int] {
        names.indices.sorted { names[$0].precedesBytewise(names[$1]) }
    }
}
