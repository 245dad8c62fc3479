import CoreData
import TestSupport
import Testing

/// A relationship of each form becomes one of each other form, in stores of each kind: the links are as before, or an
/// error says which object can't keep its own.
@Suite("Relationships that get another form")
struct RelationshipFormTests {
    enum Side: String, CaseIterable, Sendable {
        case one, many, ordered

        var isToMany: Bool { self != .one }
    }

    /// The relationship "members" of "Band", and its inverse "bands" of "Person".
    struct Form: Sendable, Equatable, CustomTestStringConvertible {
        let members: Side
        let bands: Side?
        var testDescription: String { "\(members) with \(bands.map { "inverse \($0)" } ?? "no inverse")" }

        static let all = Side.allCases.flatMap { members in
            ([nil] + Side.allCases.map(Optional.some)).map { Form(members: members, bands: $0) }
        }

        func makeModel(extra: Bool = false) -> NSManagedObjectModel {
            let band = entity("Band", [attribute("name", .stringAttributeType)])
            let person = entity("Person", [attribute("name", .stringAttributeType)])
            func make(_ side: Side, _ name: String, _ destination: NSEntityDescription) -> NSRelationshipDescription {
                side == .one ? toOne(name, destination) : toMany(name, destination, ordered: side == .ordered)
            }
            let members = make(self.members, "members", person)
            band.properties.append(members)
            if let side = self.bands {
                let bands = make(side, "bands", band)
                pair(members, bands)
                person.properties.append(bands)
            }
            // An entity that comes first moves the numbers of the others.
            return model([band, person] + (extra ? [entity("Aaa")] : []))
        }
    }

    /// How a store gets the new model, and whether the numbers of its entities change.
    struct Way: Sendable, CustomTestStringConvertible {
        let way: MigrationWay
        let renumbers: Bool
        var testDescription: String { "\(way)\(renumbers ? " with other numbers" : "")" }

        /// Whether a relationship without inverse gives each member one owner: its row has the key.
        var keepsOneOwner: Bool { way != .xml && way != .binary }

        static let all =
            MigrationWay.allCases.map { Way(way: $0, renumbers: false) } + [Way(way: .inPlace, renumbers: true)]
    }

    /// Names of members by the name of the band, in order.
    typealias Links = [String: [String]]

    /// Objects that are related as richly as a form allows, or with one partner each.
    private static func links(_ form: Form, isRich: Bool) -> Links {
        guard isRich else { return ["A": ["Bob"], "B": ["Ann"], "C": []] }
        let sharesMembers = form.bands != .one
        switch (form.members, sharesMembers) {
        case (.one, true): return ["A": ["Bob"], "B": ["Bob"], "C": ["Ann"]]
        case (.one, false): return ["A": ["Bob"], "B": ["Ann"], "C": []]
        case (_, false): return ["A": ["Dan", "Ann", "Cid"], "B": ["Bob"], "C": []]
        // Without inverse the members of a SQLite store have one owner.
        case (_, true) where form.bands == nil: return ["A": ["Dan", "Ann", "Cid"], "B": ["Bob"], "C": []]
        case (_, true): return ["A": ["Dan", "Ann"], "B": ["Bob", "Ann"], "C": ["Ann", "Dan", "Cid", "Bob"]]
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fill(_ context: NSManagedObjectContext, _ form: Form, _ links: Links) throws {
        // The keys of the people are in the order of their names.
        var people: [String: NSManagedObject] = [:]
        for name in ["Ann", "Bob", "Cid", "Dan"] {
            people[name] = context.make("Person", name)
            try context.obtainPermanentIDs(for: [people[name]!])
        }
        for (name, members) in links.sorted(by: { $0.key < $1.key }) {
            let band = context.make("Band", name)
            try context.obtainPermanentIDs(for: [band])
            let objects = members.map { people[$0]! }
            switch form.members {
            case .one: band.setValue(objects.first, forKey: "members")
            case .many: band.setValue(NSSet(array: objects), forKey: "members")
            case .ordered: band.setValue(NSOrderedSet(array: objects), forKey: "members")
            }
        }
        if form.bands == .ordered {
            // Another order than the order of keys and names.
            for person in people.values {
                let bands = person.mutableOrderedSetValue(forKey: "bands")
                let sorted = bands.array.compactMap { $0 as? NSManagedObject }.sorted {
                    $0.text("name")! > $1.text("name")!
                }
                person.setValue(NSOrderedSet(array: sorted), forKey: "bands")
            }
        }
        try context.save()
    }

    /// The links of a store as one side has them, in their order, or sorted if it has none.
    private func links(_ context: NSManagedObjectContext, _ entity: String, _ key: String, _ side: Side) throws -> Links
    {
        context.reset()
        return try Dictionary(
            uniqueKeysWithValues: context.all(entity).map { object in
                switch side {
                case .one: (object.text("name")!, object.object(key).map { [$0.text("name")!] } ?? [])
                case .many: (object.text("name")!, object.objects(key).map { $0.text("name")! }.sorted())
                case .ordered:
                    (
                        object.text("name")!,
                        object.mutableOrderedSetValue(forKey: key).compactMap { ($0 as? NSManagedObject)?.text("name") }
                    )
                }
            })
    }

    private static func inverse(_ links: Links) -> Links {
        var result: Links = ["Ann": [], "Bob": [], "Cid": [], "Dan": []]
        for (band, members) in links.sorted(by: { $0.key > $1.key }) {
            for member in members { result[member, default: []].append(band) }
        }
        return result
    }

    private static func sorted(_ links: Links) -> Links { links.mapValues { $0.sorted() } }

    private func check(_ context: NSManagedObjectContext, _ form: Form, _ links: Links, wasOrdered: (Bool, Bool)) throws
    {
        let members = try self.links(context, "Band", "members", form.members)
        #expect(
            form.members == .ordered && wasOrdered.0 ? members == links : Self.sorted(members) == Self.sorted(links))
        guard let side = form.bands else { return }
        let bands = try self.links(context, "Person", "bands", side)
        let expected = Self.inverse(links)
        #expect(side == .ordered && wasOrdered.1 ? bands == expected : Self.sorted(bands) == Self.sorted(expected))
    }

    /// Whether the inferred mapping model can't be made at all: a relationship to many objects becomes one to one.
    private static func isRefused(_ from: Form, _ to: Form) -> Bool {
        from.members.isToMany && !to.members.isToMany || from.bands?.isToMany == true && to.bands == .one
    }

    /// Whether the new form has room for all links.
    private static func fits(_ links: Links, _ to: Form, _ way: Way) -> Bool {
        let needsOneOwner = to.bands == .one || to.bands == nil && to.members.isToMany && way.keepsOneOwner
        return !needsOneOwner || inverse(links).values.allSatisfy { $0.count < 2 }
    }

    private func migrate(_ from: Form, _ to: Form, _ way: Way, _ url: URL) throws -> NSManagedObjectContext {
        try way.way.migrate(from.makeModel(), to.makeModel(extra: way.renumbers), url)
    }

    @Test(
        "The links are as before, or an error names an object that can't keep them", arguments: Form.all.sampled(3),
        Way.all)
    func everyForm(_ from: Form, _ way: Way) throws {
        var number = 0
        for to in Form.all where to != from || way.renumbers {
            // One partner each is a separate case if the new form has room for no more.
            for isRich in way.way == .inPlace || way.way == .xml ? [true, false] : [true] {
                let links = Self.links(from, isRich: isRich)
                let name = "\(from.testDescription) to \(to.testDescription), \(isRich ? "rich" : "plain")"
                number += 1
                let url = way.way.url("store\(number)", in: folder)
                let before = try way.way.open(from.makeModel(), url)
                try on(before) { try fill(before, from, links) }
                try way.way.close(before)
                if Self.isRefused(from, to) {
                    expectEqual(thrownError { _ = try migrate(from, to, way, url) }?.code, 134190, "\(name)")
                } else if Self.fits(links, to, way) {
                    do {
                        let after = try migrate(from, to, way, url)
                        let wasOrdered = (from.members == .ordered, from.bands == .ordered)
                        try on(after) { try check(after, to, links, wasOrdered: wasOrdered) }
                        try way.way.close(after)
                    } catch {
                        Issue.record("\(name): \(error)")
                    }
                } else {
                    let error = thrownError { _ = try migrate(from, to, way, url) }
                    expectEqual(error?.code, 134110, "\(name)")
                    // The object, as its entity and key.
                    let reason = error?.localizedFailureReason ?? ""
                    expectContains(reason, "/p", "\(name): \(reason)")
                    #expect(error?.userInfo["relationship"] != nil, "\(name)")
                    let again = try way.way.open(from.makeModel(), url)
                    try on(again) { try check(again, from, links, wasOrdered: (true, true)) }
                    try way.way.close(again)
                }
            }
        }
    }
}
