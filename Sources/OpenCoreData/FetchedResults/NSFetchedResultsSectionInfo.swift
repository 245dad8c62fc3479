// SPDX-License-Identifier: Apache-2.0

/// One section of fetched results. It does not change when the results change: the controller then returns new section
/// objects.
public protocol NSFetchedResultsSectionInfo {
    /// The section's name: the value of its objects at the section name key path, as text. Empty for nil, and if the
    /// results have no sections.
    var name: String { get }
    /// The title in the section index, from `NSFetchedResultsController.sectionIndexTitle(forSectionName:)`.
    var indexTitle: String? { get }
    /// The number of objects in the section.
    var numberOfObjects: Int { get }
    /// The objects of the section, in order.
    var objects: [Any]? { get }
}

/// A section that was deleted: it has its name, and no objects.
final class DeletedSectionInfo: NSObject, NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    let numberOfObjects = 0
    let objects: [Any]? = []

    init(_ section: any NSFetchedResultsSectionInfo) {
        name = section.name
        indexTitle = section.indexTitle
    }
}

/// A section of one content.
final class FetchedSectionInfo: NSObject, NSFetchedResultsSectionInfo {
    let name: String
    private let content: FetchedContent
    private let range: Range<Int>
    private weak var results: FetchedResults?
    private lazy var elements: [Any] = content.elements(range)

    init(_ section: FetchedContent.Section, content: FetchedContent, results: FetchedResults) {
        name = section.name
        range = section.range
        self.content = content
        self.results = results
    }

    var indexTitle: String? { results?.indexTitle(forSectionName: name) }
    var numberOfObjects: Int { range.count }
    var objects: [Any]? { elements }
}
