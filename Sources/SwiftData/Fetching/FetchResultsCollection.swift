// SPDX-License-Identifier: Apache-2.0

/// The results of a fetch in batches. A batch is read at the first use of one of its elements.
///
/// Elements belong to the context that has fetched them. Use them only where this context is used.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    /// The position of an element.
    public typealias Index = Int
    /// The positions of the elements.
    public typealias Indices = Range<Int>
    /// The iterator.
    public typealias Iterator = IndexingIterator<FetchResultsCollection<Element>>
    /// A part of the results.
    public typealias SubSequence = Slice<FetchResultsCollection<Element>>

    private let resultCount: Int
    private let element: (Int) -> Element

    init(count: Int, element: @escaping (Int) -> Element) {
        resultCount = count
        self.element = element
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of results.
    public var endIndex: Int { resultCount }

    /// The result at a position. Stops the program for an invalid position.
    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "The position \(position) is outside of the \(resultCount) results.")
        return element(position)
    }
}
