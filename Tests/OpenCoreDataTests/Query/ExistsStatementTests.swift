import CoreDataModel
import CoreDataPredicates
import OpenCoreData
import Testing

@testable import CoreDataStores

@Suite("The search for an element of a collection")
struct ExistsStatementTests {
    let library: Library

    /// The titles of songs and the names of artists have an index, the names of tags have none.
    init() throws {
        let model = LibraryModel.make()
        for (entity, key) in [("Song", "title"), ("Artist", "name")] {
            let entity = model.entitiesByName[entity]!
            let element = NSFetchIndexElementDescription(
                property: entity.propertiesByName[key]!, collationType: .binary)
            entity.indexes.append(NSFetchIndexDescription(name: "by" + key, elements: [element]))
        }
        library = try Library(model: model)
    }

    private func qualifier(_ format: String) throws -> String {
        let text = try library.translator.statement(library.query("Artist", .parse(format))).text
        return String(text.drop { $0 != "W" })
    }

    @Test(
        "lists the owners where an index finds the elements, and the other conditions are of their rows alone",
        arguments: [
            "ANY songs.title == 'a'", "ANY songs.title IN {'a', 'b'}", "ANY songs.artist.name == 'a'",
            "ANY SUBQUERY(songs, $s, $s.title == 'a').rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.rating == $s.seconds).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.rating != nil).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.rating IN {1, 2}).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.title LIKE 'a*').rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND ($s.rating == 1 OR $s.rating == 2)).rating == 1",
            """
            ANY SUBQUERY(songs, $s, $s.title == 'a' AND ($s.rating == 1 OR $s.rating > 2 AND $s.seconds < 1)).rating \
            == 1
            """,
            "ANY SUBQUERY(fans, $f, $f.name == 'a' AND CAST($f.born, 'NSNumber') == 0).age == 1",
            "ANY SUBQUERY(fans, $f, $f.name == 'a' AND CAST($f.age, 'NSDate') == $f.born).age == 1",
        ])
    func list(format: String) throws {
        let qualifier = try qualifier(format)
        expectTrue(qualifier.hasPrefix("WHERE t0.Z_PK IN (SELECT t1."), "\(qualifier)")
    }

    @Test(
        "is one for each owner otherwise",
        arguments: [
            "ANY songs.rating == 1", "ANY songs.title > 'a'", "ANY songs.tags.name == 'a'", "ANY songs.title == name",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.rating == age).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND age == $s.rating).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND age IN {1, 2}).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.tags.@count == 3).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.tags.@count > 0).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a' AND $s.leader.name == nil).rating == 1",
            "ANY SUBQUERY(songs, $s, $s.title == 'a').artist.friends.name == 'b'",
        ])
    func search(format: String) throws {
        let qualifier = try qualifier(format)
        expectTrue(qualifier.hasPrefix("WHERE EXISTS (SELECT 1"), "\(qualifier)")
    }
}
