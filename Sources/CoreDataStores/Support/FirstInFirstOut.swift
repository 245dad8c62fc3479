// SPDX-License-Identifier: Apache-2.0

/// A queue of elements: the element that was added first leaves first. Each step takes constant time on average.
@usableFromInline package struct FirstInFirstOut<Element> {
    /// Nil for elements that have left.
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var first = 0

    // Inlined, so that other modules have versions for their elements.
    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { first == elements.count }

    @inlinable package var count: Int { elements.count - first }

    /// The element that leaves next; nil if there is none.
    @inlinable package var next: Element? { isEmpty ? nil : elements[first] }

    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    @inlinable package mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 64, first * 2 >= elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }

    /// Removes all elements.
    ///
    /// - Returns: the elements, in their order.
    @inlinable package mutating func popAll() -> [Element] {
        defer { self = FirstInFirstOut() }
        return elements[first...].compactMap { $0 }
    }
}
