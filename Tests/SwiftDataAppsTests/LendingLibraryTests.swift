import Foundation
import SwiftData
import Testing

@Suite struct LendingLibraryTests {
    let store: AppStore

    init() throws { store = try AppStore(Book.self, Author.self, LibraryMember.self, Loan.self) }

    private func fill(_ context: ModelContext) {
        let stars = Book(isbn: "978-1", title: "Stars", publishedYear: 1999)
        stars.keywords = ["space", "night"]
        let seas = Book(isbn: "978-2", title: "Seas", edition: 3)
        context.insert(Author(given: "Ida", family: "Berg", books: [stars, seas]))
        context.insert(Author(given: "Jon", family: "Lee", books: [seas]))
        let member = LibraryMember(number: 12, name: "Rae")
        member.address = .init(street: "Way 1", city: "Bern", country: .init(code: "CH", name: "Switzerland"))
        member.phones = ["home": "123", "work": "456"]
        context.insert(Loan(book: stars, member: member, lentOn: day(1)))
    }

    @Test func jsonBecomesModelsAndBack() throws {
        let json = #"[{"isbn":"978-7","title":"Trees","published":2020,"keywords":["green"]}]"#
        let context = try store.relaunched { context in
            for book in try JSONDecoder().decode([Book].self, from: Data(json.utf8)) { context.insert(book) }
        }
        let trees = try context.one(Book.self)
        expectEqual(trees.publishedYear, 2020)
        let copy = try JSONDecoder().decode(Book.self, from: JSONEncoder().encode(trees))
        expectEqual(copy.id, trees.id)
        expectEqual(copy.keywords, ["green"])
    }

    @Test func ownIdentifierIsStored() throws {
        let book = Book(isbn: "1", title: "One")
        let identifier = book.id
        let context = try store.relaunched { $0.insert(book) }
        try expectEqual(context.one(Book.self, where: #Predicate { $0.id == identifier }).title, "One")
    }

    @Test func manyToManyIsKeptOnBothSides() throws {
        let context = try store.relaunched(after: fill)
        let seas = try context.one(Book.self, where: #Predicate { $0.title == "Seas" })
        expectEqual(seas.authors.map(\.name.family).sorted(), ["Berg", "Lee"])
        seas.authors.removeAll { $0.name.family == "Berg" }
        try context.save()
        let after = try store.launch()
        let berg = try after.fetch(FetchDescriptor<Author>()).first { $0.name.family == "Berg" }
        expectEqual(berg?.books.map(\.title), ["Stars"])
    }

    @Test func uniqueNumberUpdatesTheBook() throws {
        let context = try store.relaunched(after: fill)
        context.insert(Book(isbn: "978-2", title: "Oceans"))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Book.self), 2)
        try expectEqual(after.one(Book.self, where: #Predicate { $0.isbn == "978-2" }).title, "Oceans")
    }

    @Test func uniquePairUpdatesTheBook() throws {
        let context = try store.relaunched(after: fill)
        context.insert(Book(isbn: "978-9", title: "Seas", edition: 3))
        context.insert(Book(isbn: "978-10", title: "Seas", edition: 4))
        try context.save()
        let after = try store.launch()
        let isbns = try after.fetch(FetchDescriptor<Book>()).map(\.isbn).sorted()
        expectEqual(isbns, ["978-1", "978-10", "978-9"])
    }

    @Test func nestedAddressIsRead() throws {
        let context = try store.relaunched(after: fill)
        let member = try context.one(LibraryMember.self)
        expectEqual(member.address?.country.code, "CH")
        expectEqual(member.phones, ["home": "123", "work": "456"])
        expectEqual(member.number, 12)
    }

    @Test func setOfTextsIsRead() throws {
        let context = try store.relaunched(after: fill)
        let stars = try context.one(Book.self, where: #Predicate { $0.isbn == "978-1" })
        expectEqual(stars.keywords, ["space", "night"])
    }

    @Test func privateDateIsSaved() throws {
        let context = try store.relaunched(after: fill)
        let loan = try context.one(Loan.self)
        expectEqual(loan.lentOn, day(1))
        expectEqual(loan.dueOn, day(15))
        expectEqual(loan.book.title, "Stars")
    }

    @Test func overdueLoansAreFetched() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: Loan.overdue(on: day(15)))), 0)
        try expectEqual(context.fetchCount(FetchDescriptor(predicate: Loan.overdue(on: day(16)))), 1)
    }

    @Test func lentBookIsNotDeleted() throws {
        let context = try store.relaunched(after: fill)
        let stars = try context.one(Book.self, where: #Predicate { $0.isbn == "978-1" })
        expectFalse(stars.isAvailable)
        context.delete(stars)
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        context.delete(try context.one(LibraryMember.self))
        try context.save()
        context.delete(stars)
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(Book.self), 1)
    }

    @Test func dateComponentsAreRead() throws {
        let context = try store.relaunched { context in
            let author = Author(given: "Mo", family: "Xu")
            author.bornOn = DateComponents(year: 1970, month: 2)
            context.insert(author)
        }
        try expectEqual(context.one(Author.self).bornOn, DateComponents(year: 1970, month: 2))
    }
}
