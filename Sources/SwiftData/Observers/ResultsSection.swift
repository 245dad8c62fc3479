// SPDX-License-Identifier: Apache-2.0

/// One section of the results of a ``ResultsObserver``. It doesn't change when the results change.
public struct ResultsSection<Element, SectionTitle>: RandomAccessCollection, Identifiable, Equatable
where Element: PersistentModel, SectionTitle: Hashable {
    /// The title of the section.
    public let title: SectionTitle
    private let elements: ArraySlice<Element>

    init(title: SectionTitle, elements: ArraySlice<Element>) {
        self.title = title
        self.elements = elements
    }

    /// The title of the section.
    public var id: SectionTitle { title }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of models.
    public var endIndex: Int { elements.count }

    /// The model at a position. Stops the program for a position that is none.
    public subscript(position: Int) -> Element { elements[elements.startIndex + position] }

    /// Whether two sections have one title and the same models.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.title == rhs.title && lhs.elements.elementsEqual(rhs.elements, by: ===)
    }
}

/// The results of a ``ResultsObserver`` in sections. They don't change when the results change.
public struct SectionedResults<Element, SectionTitle>: RandomAccessCollection, Equatable
where Element: PersistentModel, SectionTitle: Hashable {
    private let sections: [ResultsSection<Element, SectionTitle>]

    init(_ sections: [ResultsSection<Element, SectionTitle>]) { self.sections = sections }

    /// The titles of the sections, in order.
    public var sectionTitles: [SectionTitle] { sections.map(\.title) }

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { sections.count }

    /// The section at a position. Stops the program for a position that is none.
    public subscript(position: Int) -> ResultsSection<Element, SectionTitle> { sections[position] }

    /// The section with a title; nil if there is none.
    public subscript(sectionTitle title: SectionTitle) -> ResultsSection<Element, SectionTitle>? {
        sections.first { $0.title == title }
    }

    /// The position of the section with a title; nil if there is none.
    public func index(ofSectionTitled title: SectionTitle) -> Int? { sections.firstIndex { $0.title == title } }

    /// Whether there is a section with a title.
    public func contains(sectionTitle: SectionTitle) -> Bool { index(ofSectionTitled: sectionTitle) != nil }
}
