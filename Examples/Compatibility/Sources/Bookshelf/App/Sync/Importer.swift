import CoreData
import Foundation

/// A record that the server sends.
struct BookDTO: Codable {
    struct AuthorDTO: Codable {
        let id: Int64
        let name: String
    }

    let id: Int64
    let title: String
    let pages: Int32
    let genre: Int16
    let keywords: [String]?
    let authors: [AuthorDTO]
}

/// Imports books, so that importing the same text twice changes nothing.
final class Importer {
    private let stack: CoreDataStack

    init(stack: CoreDataStack) { self.stack = stack }

    @discardableResult
    func importBooks(from json: Data) throws -> [NSManagedObjectID] {
        let items = try JSONDecoder().decode([BookDTO].self, from: json)
        return try stack.performInBackground { context in
            let books = Repository<Book>(context: context)
            let authors = Repository<Author>(context: context)
            var imported: [Book] = []
            for item in items {
                let book = try books.findOrCreate(where: #keyPath(Book.remoteID), is: item.id) { book in
                    if book.title != item.title { book.title = item.title }
                    if book.pages != item.pages { book.pages = item.pages }
                    if book.rawGenre != item.genre { book.rawGenre = item.genre }
                    if book.keywords != item.keywords { book.keywords = item.keywords }
                }
                let found = try item.authors.map { dto in
                    try authors.findOrCreate(where: "remoteID", is: dto.id) { author in
                        if author.name != dto.name { author.name = dto.name }
                    }
                }
                if book.authors as? Set<Author> != Set(found) { book.authors = NSSet(array: found) }
                imported.append(book)
            }
            try context.obtainPermanentIDs(for: imported.filter(\.objectID.isTemporaryID))
            if context.hasChanges { try context.save() }
            let ids = imported.map(\.objectID)
            context.reset()
            return ids
        }
    }

    /// The number of imported books, counted by a request in the background.
    func importAsynchronously(_ json: Data) async throws -> Int {
        try await stack.container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            let items = try JSONDecoder().decode([BookDTO].self, from: json)
            for item in items {
                let book = Book(context: context)
                book.remoteID = item.id
                book.title = item.title
                book.pages = item.pages
            }
            try context.save()
            return items.count
        }
    }
}
