import CoreData

/// The objects of the realm: 79, each with a unique name. Values that a line doesn't name are nil.
///
/// ```
/// Land Aria ─ Town Bex (Cid Sly), Town Ald (Ann Bob Dot Rex Tom)     Land Boria ─ Town Cor (Eva)     Land Coria
/// Town Dun (Gus), without land
/// friends: Ann–Bob, Ann–Cid, Eva–Gus, Rex–Tom
/// parents: Ann > Dot, Eva > Fay, Mia > Tom, Dot > Kid                teacher Eva: Ann Cid Fay
/// pets:    Ann > Rex Tom, Bob > Mia, Eva > Ufo
/// works:   Ann > Atlas Birds, Bob > Clouds, Eva > Dreams Echo, Fay > Grass; Fog without author
/// ```
enum RealmData {
    /// Inserts the objects.
    ///
    /// - Parameter savesFirst: saves the objects before they have values and relationships.
    static func fill(_ context: NSManagedObjectContext, savesFirst: Bool = false) throws {
        var builder = RealmBuilder(context)
        places(&builder)
        beings(&builder)
        works(&builder)
        RealmValues.samples(&builder)
        RealmValues.words(&builder)
        odds(&builder)
        if savesFirst { try context.save() }
        builder.build()
    }

    static func day(_ days: Double) -> Date { Date(timeIntervalSinceReferenceDate: days * 86400) }

    private static func places(_ make: inout RealmBuilder) {
        make("Land", "Aria", ["code": "AR"])
        make("Land", "Boria")
        make("Land", "Coria", ["code": "CO"])
        make("Town", "Ald", ["people": 1000, "area": decimal("10.5"), "founded": day(-100_000)])
        make("Town", "Bex", ["people": 250, "area": decimal("4"), "founded": day(-50_000)])
        make("Town", "Cor")
        make("Town", "Dun", ["people": 0, "area": decimal("0.5"), "founded": day(1)])
        make.link("Aria", "towns", ["Bex", "Ald"])
        make.link("Boria", "towns", ["Cor"])
    }

    private static func beings(_ make: inout RealmBuilder) {
        make("Person", "Ann", ["age": 30, "title": "Dr", "height": 1.7, "alive": true, "born": day(0)])
        make("Person", "Bob", ["age": 40, "height": 1.8, "alive": true, "born": day(-1000)])
        make("Person", "Cid", ["title": "Mr", "alive": false])
        make("Person", "Dot", ["age": 8, "title": "", "height": 1.2, "alive": true, "born": day(8000)])
        make("Person", "Gus", ["age": 30, "alive": false])
        make("Person", "Kid", ["age": 0, "height": 0.5])
        make(
            "Scholar", "Eva",
            ["age": 62, "title": "Prof", "height": 1.65, "alive": true, "born": day(-9000), "degree": "PhD"])
        make("Scholar", "Fay", ["age": 30, "title": "Dr", "height": 1.7])
        make("Animal", "Rex", ["legs": 4, "kind": "dog", "height": 0.5, "alive": true, "born": day(8500)])
        make("Animal", "Tom", ["legs": 4, "kind": "cat", "alive": true])
        make("Animal", "Mia", ["legs": 3, "kind": "cat", "alive": false])
        make("Animal", "Sly", ["legs": 0, "kind": "snake"])
        make("Animal", "Ufo")
        make.link("Ald", "dwellers", ["Ann", "Bob", "Dot", "Rex", "Tom"])
        make.link("Bex", "dwellers", ["Cid", "Sly"])
        make.link("Cor", "dwellers", ["Eva"])
        make.link("Dun", "dwellers", ["Gus"])
        make.link("Ann", "friends", ["Bob", "Cid"])
        make.link("Eva", "friends", ["Gus"])
        make.link("Rex", "friends", ["Tom"])
        make.link("Ann", "children", ["Dot"])
        make.link("Dot", "children", ["Kid"])
        make.link("Eva", "children", ["Fay"])
        make.link("Mia", "children", ["Tom"])
        make.link("Eva", "students", ["Ann", "Cid", "Fay"])
        make.link("Ann", "pets", ["Rex", "Tom"])
        make.link("Bob", "pets", ["Mia"])
        make.link("Eva", "pets", ["Ufo"])
    }

    private static func works(_ make: inout RealmBuilder) {
        make("Work", "Atlas", ["year": 1990, "pages": 300, "price": decimal("20"), "rating": 4.5])
        make("Work", "Birds", ["year": 2001, "pages": 120, "price": decimal("9.5"), "rating": 3])
        make("Work", "Clouds", ["year": 2001, "pages": 80])
        make("Work", "Dreams", ["price": decimal("5"), "rating": 2])
        make("Work", "Echo", ["year": 2010, "pages": 300, "price": decimal("20"), "rating": 5])
        make("Work", "Fog", ["year": 1850, "pages": 200, "price": decimal("0"), "rating": 1])
        make("Work", "Grass", ["year": 2020, "pages": 60, "price": decimal("7.25"), "rating": 4.5])
        make.link("Ann", "works", ["Atlas", "Birds"])
        make.link("Bob", "works", ["Clouds"])
        make.link("Eva", "works", ["Dreams", "Echo"])
        make.link("Fay", "works", ["Grass"])
        make("Tag", "maps", ["weight": 1])
        make("Tag", "nature", ["weight": 2])
        make("Tag", "old")
        make("Tag", "sky", ["weight": 3])
        make("Tag", "void", ["weight": 5])
        make.link("Atlas", "tags", ["maps", "old"])
        make.link("Birds", "tags", ["nature"])
        make.link("Clouds", "tags", ["nature", "sky"])
        make.link("Echo", "tags", ["old"])
        make.link("Fog", "tags", ["old", "sky"])
        make.link("Grass", "tags", ["maps", "nature"])
        make("Chapter", "Intro", ["number": 1, "words": 1000])
        make("Chapter", "Lands", ["number": 2, "words": 5000])
        make("Chapter", "Seas", ["number": 3, "words": 3000])
        make("Chapter", "Wings", ["number": 1, "words": 2000])
        make("Chapter", "Night", ["number": 1])
        make("Chapter", "Call", ["number": 1, "words": 10])
        make("Chapter", "Reply", ["number": 2, "words": 20])
        make("Chapter", "Mist", ["number": 1, "words": 700])
        make.link("Atlas", "chapters", ["Intro", "Lands", "Seas"])
        make.link("Birds", "chapters", ["Wings"])
        make.link("Dreams", "chapters", ["Night"])
        make.link("Echo", "chapters", ["Reply", "Call"])
        make.link("Fog", "chapters", ["Mist"])
    }

    private static func odds(_ make: inout RealmBuilder) {
        make(
            "Odd", "o1",
            [
                "size": 1, "first": 1, "last": 1, "in": 1, "not": 1, "union": 1, "yes": 1, "null": 1, "like": 1,
                "cast": 1,
            ])
        make(
            "Odd", "o2",
            [
                "size": 2, "first": 2, "last": 2, "in": 2, "not": 2, "union": 2, "yes": 2, "null": 2, "like": 2,
                "cast": 2,
            ])
        make("Odd", "o3")
        make.link("o1", "any", ["o2", "o3"])
    }

    static func decimal(_ text: String) -> NSDecimalNumber { NSDecimalNumber(string: text) }
}

/// Makes objects, then gives them values and relationships.
struct RealmBuilder {
    private let context: NSManagedObjectContext
    private var objects: [String: NSManagedObject] = [:]
    private var values: [(name: String, values: [String: Any])] = []
    private var links: [(name: String, key: String, members: [String])] = []

    init(_ context: NSManagedObjectContext) { self.context = context }

    mutating func callAsFunction(_ entity: String, _ name: String, _ values: [String: Any] = [:]) {
        objects[name] = context.make(entity)
        self.values.append((name, values))
    }

    mutating func link(_ name: String, _ key: String, _ members: [String]) { links.append((name, key, members)) }

    mutating func point(_ name: String, _ key: String, _ other: String) {
        values.append((name, [key: objects[other]!]))
    }

    func build() {
        for (name, values) in values {
            let object = objects[name]!
            object.setValue(name, forKey: "name")
            for (key, value) in values { object.setValue(value, forKey: key) }
        }
        for (name, key, members) in links {
            let object = objects[name]!
            let members = members.map { objects[$0]! }
            let isOrdered = object.entity.relationshipsByName[key]!.isOrdered
            object.setValue(isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: key)
        }
    }
}
