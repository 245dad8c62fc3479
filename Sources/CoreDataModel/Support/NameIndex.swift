// SPDX-License-Identifier: Apache-2.0

/// The elements of a large mutable list by name, collected at the first lookup after a change.
///
/// A lock guards the dictionary, because several threads can read a model that doesn't change.
final class NameIndex<Element: AnyObject>: @unchecked Sendable {
    /// A linear search is as fast for fewer elements.
    private static var minimumCount: Int { 32 }

    private let lock = NSLock()
    private var elements: [String: Element]?

    /// The last element with a name; nil if there is none.
    func element(named name: String, in list: [Element], nameOf: (Element) -> String) -> Element? {
        guard list.count >= Self.minimumCount else { return list.last { nameOf($0) == name } }
        return lock.withLock {
            let index = elements ?? Dictionary(list.map { (nameOf($0), $0) }, uniquingKeysWith: { $1 })
            elements = index
            return index[name]
        }
    }

    /// Discards the dictionary after a change of a name or of the list.
    func invalidate() { lock.withLock { elements = nil } }
}
