// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// The picker of a relationship: its members, each with a tick, and a field that searches labels.
struct RelationshipField {
    let relationship: NSRelationshipDescription
    let object: NSManagedObject
    let reader: StoreReader
    let attempt: FormAttempt?
    /// The first members that the store has, and how many it has.
    private let members: [Member]
    let count: Int

    /// The number of members that a form lists. Further members stay as they are.
    private static let memberCount = 100

    init(
        relationship: NSRelationshipDescription, object: NSManagedObject, reader: StoreReader, attempt: FormAttempt?
    ) throws {
        self.relationship = relationship
        self.object = object
        self.reader = reader
        self.attempt = attempt
        guard !object.isInserted else {
            members = []
            count = 0
            return
        }
        let (objects, number) = try RelationshipMembers(
            object: object, relationship: relationship, limit: Self.memberCount, reader: reader
        ).first()
        members = objects.map { Member(id: ObjectIDText($0.objectID).short, object: $0) }
        count = number
    }

    var name: String { relationship.name }
    private var destination: String { relationship.destinationEntity?.name ?? "" }

    /// A member in the form.
    private struct Member {
        let id: String
        let object: NSManagedObject?
        var isTicked = true
    }

    /// - Parameter badges: the marks beside the name.
    func html(badges: HTML) -> HTML {
        let shown = attempt.map { $0.form.values("s.\(name)") }
        let listed = shown == nil || attempt?.isConflict == true ? members.map(\.id) : shown ?? []
        let hidden = listed.map { "<input type=\"hidden\" name=\"s.\(name)\" value=\"\($0)\">" as HTML }
        let items = sent.map(item)
        let list: HTML =
            relationship.isOrdered
            ? "<ol class=\"chosen\">\(items)</ol>" : "<ul class=\"chosen\">\(items)</ul>"
        return """
            <section class="relationship picker" data-name="\(name)" \
            data-find="\(BrowserRoute.find(entity: destination).path())"\
            \(relationship.isToMany ? " data-many" as HTML : "")\
            \(relationship.isOrdered ? " data-ordered" as HTML : "")>
            <h3><label for="f-\(name)">\(name)</label>\(badges)</h3>
            <p>\(link)<span class="type">\(ValueMarkup.type(relationship))\
            \(relationship.isOptional ? "" : ", required")</span></p>\(hidden)\(list)
            <div class="search"><input id="f-\(name)" name="q.\(name)" value="\(attempt?.form["q.\(name)"] ?? "")"
            autocomplete="off" spellcheck="false" placeholder="Search \(destination)"\
            \(FieldMessages(key: name, attempt: attempt).attributes)></div>
            \(FieldMessages(key: name, attempt: attempt).html)</section>
            """
    }

    private var link: HTML {
        guard relationship.isToMany, !object.isInserted else { return "" }
        let rest: HTML = count > Self.memberCount ? ", the first \(Self.memberCount) of them here" : ""
        return """
            <a href="\(CellMarkup.members(of: object, relationship))">\(Amount.text(count, "object"))</a>\(rest) 
            """
    }

    private func item(_ member: Member) -> HTML {
        let label = member.object.map(ObjectLabel.text) ?? member.id
        let shown: HTML = member.object.map(CellMarkup.link) ?? "\(member.id)"
        return """
            <li><input type="checkbox" name="r.\(name)" value="\(member.id)"\(member.isTicked ? " checked" as HTML : "")
            aria-label="\(label)"> \(shown)</li>
            """
    }

    /// The members as the form was sent, or else the members in the store.
    private var sent: [Member] {
        guard let attempt else { return members }
        let ticked = attempt.form.values("r.\(name)")
        let unticked = attempt.form.values("s.\(name)").filter { !ticked.contains($0) }
        let known = Dictionary(members.map { ($0.id, $0.object) }, uniquingKeysWith: { first, _ in first })
        return (ticked.map { ($0, true) } + unticked.map { ($0, false) }).map { id, isTicked in
            let object =
                known[id] ?? reader.store.objectID(id).flatMap { try? reader.context.existingObject(with: $0) }
            return Member(id: id, object: object, isTicked: isTicked)
        }
    }
}

/// The first members of a relationship in their order, and their number.
struct RelationshipMembers {
    let object: NSManagedObject
    let relationship: NSRelationshipDescription
    let limit: Int
    let reader: StoreReader

    func first() throws -> (objects: [NSManagedObject], count: Int) {
        guard relationship.isToMany else {
            let target = object.members(of: relationship)
            return (target, target.count)
        }
        if relationship.isOrdered || relationship.inverseRelationship == nil {
            let objects = object.members(of: relationship)
            let sorted = relationship.isOrdered ? objects : objects.sorted { $0.objectID.key < $1.objectID.key }
            return (Array(sorted.prefix(limit)), objects.count)
        }
        let related = try RelatedObjects(owner: object.objectID, relationship: relationship, in: reader.store)
        let request = NSFetchRequest<NSManagedObject>(entityName: relationship.destinationEntity?.name ?? "")
        request.predicate = related.predicate
        let count = try reader.context.count(for: request)
        request.fetchLimit = limit
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        return (count == 0 ? [] : try reader.context.fetch(request), count)
    }
}
