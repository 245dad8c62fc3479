import CoreData

/// A small world with every kind of attribute, relationship and inheritance, which tables of predicates ask about.
enum RealmModel {
    static func make() -> NSManagedObjectModel {
        let model = model([sample(), word(), odd()] + beings())
        setTemplates(of: model)
        return model
    }

    private static func setTemplates(of model: NSManagedObjectModel) {
        func template(_ name: String, _ format: String?, sort: [NSSortDescriptor], limit: Int = 0) {
            let request = NSFetchRequest<any NSFetchRequestResult>()
            request.entity = model.entitiesByName["Work"]
            request.predicate = format.map { NSPredicate(format: $0, argumentArray: nil) }
            request.sortDescriptors = sort
            request.fetchLimit = limit
            model.setFetchRequestTemplate(request, forName: name)
        }
        let byName = NSSortDescriptor(key: "name", ascending: true)
        template("worksOfName", "author.name == $NAME", sort: [byName])
        template("worksBetween", "year BETWEEN {$LOW, $HIGH}", sort: [byName])
        template("worksOf", "author == $WHO", sort: [byName])
        template("worksTagged", "ANY tags IN $TAGS", sort: [byName])
        template("worksNamed", "name CONTAINS[c] $TEXT", sort: [byName])
        template("worksWithChapters", "SUBQUERY(chapters, $c, $c.words > $WORDS).@count > 0", sort: [byName])
        template("bestWorks", nil, sort: [NSSortDescriptor(key: "rating", ascending: false), byName], limit: 2)
    }

    /// Every type of attribute, and a chain of objects.
    private static func sample() -> NSEntityDescription {
        let sample = entity("Sample")
        let next = toOne("next", sample)
        let before = toMany("before", sample)
        pair(next, before)
        let mood = attribute("mood", .stringAttributeType)
        mood.isTransient = true
        sample.properties = [
            mood, attribute("info", .transformableAttributeType),
            attribute("name", .stringAttributeType), attribute("i16", .integer16AttributeType),
            attribute("i32", .integer32AttributeType),
            attribute("i64", .integer64AttributeType), attribute("dbl", .doubleAttributeType),
            attribute("flt", .floatAttributeType),
            attribute("dec", .decimalAttributeType), attribute("flag", .booleanAttributeType),
            attribute("day", .dateAttributeType),
            attribute("text", .stringAttributeType), attribute("label", .stringAttributeType),
            attribute("uuid", .UUIDAttributeType),
            attribute("link", .URIAttributeType), attribute("bytes", .binaryDataAttributeType),
            attribute("j", .integer64AttributeType),
            next, before,
        ]
        return sample
    }

    private static func word() -> NSEntityDescription {
        entity("Word", [attribute("name", .stringAttributeType), attribute("text", .stringAttributeType)])
    }

    /// Keys that are words of the format language.
    private static func odd() -> NSEntityDescription {
        let odd = entity("Odd")
        let any = toMany("any", odd)
        let between = toOne("between", odd)
        pair(any, between)
        let numbers = ["size", "first", "last", "in", "not", "union", "yes", "null", "like", "cast"]
        odd.properties =
            [attribute("name", .stringAttributeType), any, between]
            + numbers.map { attribute($0, .integer32AttributeType) }
        return odd
    }

    /// Beings are persons (some of them scholars) and animals; persons have works.
    private static func beings() -> [NSEntityDescription] {
        let being = entity("Being")
        let person = entity("Person")
        let scholar = entity("Scholar")
        let animal = entity("Animal")
        let town = entity("Town")
        let land = entity("Land")
        let work = entity("Work")
        let chapter = entity("Chapter")
        let tag = entity("Tag")
        being.isAbstract = true
        being.subentities = [person, animal]
        person.subentities = [scholar]

        let home = toOne("home", town)
        let dwellers = toMany("dwellers", being)
        pair(home, dwellers)
        let friends = toMany("friends", being)
        friends.inverseRelationship = friends
        let parent = toOne("parent", being)
        let children = toMany("children", being)
        pair(parent, children)
        let works = toMany("works", work)
        let author = toOne("author", person)
        pair(works, author)
        let pets = toMany("pets", animal)
        let owner = toOne("owner", person)
        pair(pets, owner)
        let teacher = toOne("teacher", scholar)
        let students = toMany("students", person)
        pair(teacher, students)
        let towns = toMany("towns", town, ordered: true)
        let of = toOne("land", land)
        pair(towns, of)
        let tags = toMany("tags", tag)
        let tagged = toMany("works", work)
        pair(tags, tagged)
        let chapters = toMany("chapters", chapter, ordered: true)
        let part = toOne("work", work)
        pair(chapters, part)

        being.properties = [
            attribute("name", .stringAttributeType), attribute("born", .dateAttributeType),
            attribute("alive", .booleanAttributeType),
            attribute("height", .doubleAttributeType), home, friends, parent, children,
        ]
        person.properties = [
            attribute("age", .integer16AttributeType), attribute("title", .stringAttributeType), works, pets, teacher,
        ]
        scholar.properties = [attribute("degree", .stringAttributeType), students]
        animal.properties = [
            attribute("legs", .integer16AttributeType), attribute("kind", .stringAttributeType), owner,
        ]
        town.properties = [
            attribute("name", .stringAttributeType), attribute("people", .integer64AttributeType),
            attribute("area", .decimalAttributeType),
            attribute("founded", .dateAttributeType), of, dwellers,
        ]
        land.properties = [attribute("name", .stringAttributeType), attribute("code", .stringAttributeType), towns]
        work.properties = [
            attribute("name", .stringAttributeType), attribute("year", .integer32AttributeType),
            attribute("pages", .integer16AttributeType),
            attribute("price", .decimalAttributeType), attribute("rating", .doubleAttributeType), author, tags,
            chapters,
        ]
        chapter.properties = [
            attribute("name", .stringAttributeType), attribute("number", .integer16AttributeType),
            attribute("words", .integer32AttributeType), part,
        ]
        tag.properties = [
            attribute("name", .stringAttributeType), attribute("weight", .integer16AttributeType), tagged,
        ]
        return [being, person, scholar, animal, town, land, work, chapter, tag]
    }
}
