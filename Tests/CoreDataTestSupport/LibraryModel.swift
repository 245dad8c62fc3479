import CoreData

/// Books, people and what relates them: every kind of relationship once.
package enum LibraryModel {
    package static func make() -> NSManagedObjectModel {
        let person = entity("Person")
        let author = entity("Author")
        let reader = entity("Reader")
        let book = entity("Book")
        let novel = entity("Novel")
        let cover = entity("Cover")
        let chapter = entity("Chapter")
        let publisher = entity("Publisher")
        let tag = entity("Tag")
        let shelf = entity("Shelf")
        person.isAbstract = true
        person.subentities = [author, reader]
        book.subentities = [novel]

        // Reflexive: many to many, one to one, one to many.
        let friends = toMany("friends", person)
        let spouse = toOne("spouse", person)
        friends.inverseRelationship = friends
        spouse.inverseRelationship = spouse
        let mentor = toOne("mentor", person)
        let pupils = toMany("pupils", person)
        pair(mentor, pupils)

        let books = toMany("books", book, rule: .cascadeDeleteRule)
        let bookAuthor = toOne("author", author)
        pair(books, bookAuthor)
        let published = toMany("books", book, rule: .denyDeleteRule)
        let bookPublisher = toOne("publisher", publisher)
        pair(published, bookPublisher)
        let bookCover = toOne("cover", cover, rule: .cascadeDeleteRule)
        let covered = toOne("book", book)
        pair(bookCover, covered)
        let chapters = toMany("chapters", chapter, rule: .cascadeDeleteRule, ordered: true)
        let chapterBook = toOne("book", book)
        pair(chapters, chapterBook)
        let tags = toMany("tags", tag)
        let tagged = toMany("books", book)
        pair(tags, tagged)
        let shelves = toMany("shelves", shelf)
        let items = toMany("items", book, ordered: true)
        pair(shelves, items)

        person.properties = [
            attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType), friends, spouse, mentor,
            pupils,
        ]
        author.properties = [attribute("genre", .stringAttributeType), books]
        // Without inverse.
        reader.properties = [
            attribute("card", .integer64AttributeType), toOne("favourite", book), toMany("wishes", book),
        ]
        book.properties = [
            attribute("name", .stringAttributeType),
            attribute("pages", .integer32AttributeType, defaultValue: NSNumber(value: 100)),
            attribute("price", .doubleAttributeType), transient("note"), bookAuthor, bookPublisher, bookCover, chapters,
            tags, shelves,
        ]
        novel.properties = [attribute("mood", .stringAttributeType)]
        cover.properties = [attribute("name", .stringAttributeType), covered]
        chapter.properties = [attribute("name", .stringAttributeType), chapterBook]
        publisher.properties = [attribute("name", .stringAttributeType), published]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        shelf.properties = [attribute("name", .stringAttributeType), items]
        return model([person, author, reader, book, novel, cover, chapter, publisher, tag, shelf])
    }

    private static func transient(_ name: String) -> NSAttributeDescription {
        let transient = attribute(name, .stringAttributeType)
        transient.isTransient = true
        return transient
    }
}
