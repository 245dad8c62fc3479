/// One section of fetched results, as it was when it was asked for.
public protocol NSFetchedResultsSectionInfo {
    /// The section's name: the text of the value that its objects have at the section name key path. Empty for nil, and
    /// where results have no sections.
    var name: String { get }
    /// The title in the index of sections, by `NSFetchedResultsController.sectionIndexTitle(forSectionName:)`.
    var indexTitle: String? { get }
    /// The number of objects in the section.
    var numberOfObjects: Int { get }
    /// The objects of the section, in order.
    var objects: [Any]? { get }
}

/// A section of some content: stays as it is when the controller goes on.
final class FetchedSectionInfo: NSFetchedResultsSectionInfo {
    let name: String
    private let content: FetchedContent
    private let range: Range<Int>
    private weak var results: FetchedResults?
    private lazy var listed: [Any] = content.elements(range)

    init(_ section: FetchedContent.Section, content: FetchedContent, results: FetchedResults) {
        name = section.name
        range = section.range
        self.content = content
        self.results = results
    }

    var indexTitle: String? { results?.indexTitle(forSectionName: name) }
    var numberOfObjects: Int { range.count }
    var objects: [Any]? { listed }
}
