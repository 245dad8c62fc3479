// SPDX-License-Identifier: Apache-2.0

/// **Extension.** Index paths for rows of sections, as UIKit and AppKit declare them on Apple's platforms.
/// `NSFetchedResultsController` uses them for its results.
extension IndexPath {
    /// Creates the index path of a row in a section of a table.
    ///
    /// - Parameters:
    ///   - row: the row in the section.
    ///   - section: the section.
    public init(row: Int, section: Int) { self = [section, row] }

    /// Creates the index path of an item in a section of a collection.
    ///
    /// - Parameters:
    ///   - item: the item in the section.
    ///   - section: the section.
    public init(item: Int, section: Int) { self = [section, item] }

    /// The section: the first index. Stops the program unless the path has exactly two indexes.
    public var section: Int {
        get { index(at: 0, "section") }
        set { setIndex(at: 0, "section", newValue) }
    }

    /// The row in the section: the second index. Stops the program unless the path has exactly two indexes.
    public var row: Int {
        get { index(at: 1, "row") }
        set { setIndex(at: 1, "row", newValue) }
    }

    /// The item in the section: the second index. Stops the program unless the path has exactly two indexes.
    public var item: Int {
        get { index(at: 1, "item") }
        set { setIndex(at: 1, "item", newValue) }
    }

    private func index(at position: Int, _ name: String) -> Int {
        guard count == 2 else { stopForWrongCount(name) }
        return self[position]
    }

    private mutating func setIndex(at position: Int, _ name: String, _ value: Int) {
        guard count == 2 else { stopForWrongCount(name) }
        self[position] = value
    }

    private func stopForWrongCount(_ name: String) -> Never {
        programmingError(
            "The index path \(self) has \(Wording.count(count, "index")), so it has no \(name).",
            remedy: "Create it with IndexPath(row:section:) or IndexPath(item:section:).")
    }
}
