/// **Extension.** Index paths that name a row of a section, as UIKit and AppKit declare them on Apple's platforms:
/// `NSFetchedResultsController` addresses its objects so.
extension IndexPath {
    /// The path of a row in a section of a table.
    public init(row: Int, section: Int) { self = [section, row] }

    /// The path of an item in a section of a collection.
    public init(item: Int, section: Int) { self = [section, item] }

    /// The section: the first index. Stops the program if the path has not exactly two indexes.
    public var section: Int {
        get { part(0, "section") }
        set { setPart(0, "section", newValue) }
    }

    /// The row in the section: the second index. Stops the program if the path has not exactly two indexes.
    public var row: Int {
        get { part(1, "row") }
        set { setPart(1, "row", newValue) }
    }

    /// The item in the section: the second index. Stops the program if the path has not exactly two indexes.
    public var item: Int {
        get { part(1, "item") }
        set { setPart(1, "item", newValue) }
    }

    private func part(_ position: Int, _ name: String) -> Int {
        guard count == 2 else { refuse(name) }
        return self[position]
    }

    private mutating func setPart(_ position: Int, _ name: String, _ value: Int) {
        guard count == 2 else { refuse(name) }
        self[position] = value
    }

    private func refuse(_ name: String) -> Never {
        programmingError(
            "The index path \(self) has \(count) indexes, so it has no \(name).",
            remedy: "Make it by IndexPath(row:section:) or IndexPath(item:section:).")
    }
}
