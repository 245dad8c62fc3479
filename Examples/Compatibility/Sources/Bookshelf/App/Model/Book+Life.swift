import CoreData
import Foundation

enum BookError: Error {
    case tooManyPages(Int32)
}

extension Book {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(Date(), forKey: #keyPath(Book.addedAt))
    }

    public override func awakeFromFetch() {
        super.awakeFromFetch()
        summary = Self.summary(of: self)
    }

    public override func willSave() {
        super.willSave()
        Book.saveCount += 1
        let trimmed = title.trimmingCharacters(in: .whitespaces)
        if trimmed != title { title = trimmed }
    }

    public override func prepareForDeletion() {
        super.prepareForDeletion()
        deletedTitles.append(title)
    }

    public override func validateForInsert() throws {
        try super.validateForInsert()
        try checkPages()
    }

    public override func validateForUpdate() throws {
        try super.validateForUpdate()
        try checkPages()
    }

    private func checkPages() throws {
        if pages > 10_000 { throw BookError.tooManyPages(pages) }
    }

    private static func summary(of book: Book) -> String { "\(book.title), \(book.pages) pages" }
}

private(set) var deletedTitles: [String] = []
