import Foundation
import SwiftData

/// A class with an identifier of the program's own and a Codable conformance by hand.
@Model
final class Book: Codable {
    #Unique<Book>([\.isbn], [\.title, \.edition])
    #Index<Book>([\.title], [\.publishedYear, \.title])

    var id: UUID = UUID()
    var isbn: String
    var title: String
    var edition: Int
    @Attribute(originalName: "year") var publishedYear: Int?
    var keywords: Set<String> = []
    var authors: [Author] = []
    @Relationship(deleteRule: .deny, inverse: \Loan.book) var loans: [Loan] = []

    init(isbn: String, title: String, edition: Int = 1, publishedYear: Int? = nil) {
        self.isbn = isbn
        self.title = title
        self.edition = edition
        self.publishedYear = publishedYear
    }

    enum CodingKeys: String, CodingKey {
        case id
        case isbn
        case title
        case edition
        case publishedYear = "published"
        case keywords
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeIfPresent(UUID.self, forKey: .id) ?? UUID()
        isbn = try container.decode(String.self, forKey: .isbn)
        title = try container.decode(String.self, forKey: .title)
        edition = try container.decodeIfPresent(Int.self, forKey: .edition) ?? 1
        publishedYear = try container.decodeIfPresent(Int.self, forKey: .publishedYear)
        keywords = try container.decodeIfPresent(Set<String>.self, forKey: .keywords) ?? []
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(isbn, forKey: .isbn)
        try container.encode(title, forKey: .title)
        try container.encode(edition, forKey: .edition)
        try container.encodeIfPresent(publishedYear, forKey: .publishedYear)
        try container.encode(keywords, forKey: .keywords)
    }

    var isAvailable: Bool { loans.allSatisfy { $0.returnedOn != nil } }
}

@Model
final class Author {
    struct Name: Codable, Hashable {
        var given: String
        var family: String
        var suffix: String?
    }

    var name: Name
    var bornOn: DateComponents?
    @Relationship(deleteRule: .nullify, inverse: \Book.authors) var books: [Book]

    init(given: String, family: String, books: [Book] = []) {
        self.name = Name(given: given, family: family)
        self.books = books
    }
}

@Model
final class LibraryMember {
    private(set) var number: Int
    var name: String
    var address: Address?
    var phones: [String: String] = [:]
    @Relationship(deleteRule: .cascade, inverse: \Loan.member) var loans: [Loan] = []

    struct Address: Codable, Hashable {
        var street: String
        var city: String
        var country: Country

        struct Country: Codable, Hashable {
            var code: String
            var name: String
        }
    }

    init(number: Int, name: String) {
        self.number = number
        self.name = name
    }
}

@Model
final class Loan {
    private(set) var lentOn: Date
    var dueOn: Date
    var returnedOn: Date?
    var book: Book
    var member: LibraryMember

    init(book: Book, member: LibraryMember, lentOn: Date, days: Int = 14) {
        self.lentOn = lentOn
        self.dueOn = lentOn.addingTimeInterval(Double(days) * 86_400)
        self.book = book
        self.member = member
    }
}

extension Loan {
    static func overdue(on date: Date) -> Predicate<Loan> {
        #Predicate<Loan> { $0.returnedOn == nil && $0.dueOn < date }
    }
}
