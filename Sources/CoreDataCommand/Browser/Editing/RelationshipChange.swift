// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Sets a relationship by a form. For the relationship `cars` the form sends the members that it showed as `s.cars`,
/// the ticked members, in their order, as `r.cars`, and the text of the search as `q.cars`.
struct RelationshipChange {
    let relationship: NSRelationshipDescription
    let form: FormValues
    let store: ReadOnlyStore

    private var name: String { relationship.name }

    func apply(to object: NSManagedObject) throws {
        let shown = form.values("s.\(name)")
        var wanted = form.values("r.\(name)")
        guard !relationship.isTransient, !shown.isEmpty || !wanted.isEmpty || form["q.\(name)"] != nil,
            let context = object.managedObjectContext
        else { return }
        if let text = form["q.\(name)"] {
            let found = ObjectIDText(try member(named: text, in: context).objectID).short
            if relationship.isToMany { wanted.append(found) } else { wanted = [found] }
        }
        guard wanted != shown else { return }
        if relationship.isToMany {
            try setMembers(of: object, shown: shown, wanted: wanted, in: context)
        } else {
            try setTarget(of: object, shown: shown.first, wanted: wanted.last, in: context)
        }
    }

    private func setTarget(
        of object: NSManagedObject, shown: String?, wanted: String?, in context: NSManagedObjectContext
    ) throws {
        let current = (object.value(forKey: name) as? NSManagedObject).map { ObjectIDText($0.objectID).short }
        guard object.isInserted || current == shown else { throw conflict }
        object.setValue(try wanted.map { try member($0, in: context) }, forKey: name)
    }

    private func setMembers(
        of object: NSManagedObject, shown: [String], wanted: [String], in context: NSManagedObjectContext
    ) throws {
        let members = try wanted.map { try member($0, in: context) }
        guard relationship.isOrdered else {
            let set = object.mutableSetValue(forKey: name)
            // A member that was deleted after the form was shown needs no removal.
            for text in shown where !wanted.contains(text) {
                if let member = try? member(text, in: context) { set.remove(member) }
            }
            for (text, member) in zip(wanted, members) where !shown.contains(text) { set.add(member) }
            return
        }
        let current = (object.value(forKey: name) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
        let names = current.prefix(shown.count).map { ObjectIDText($0.objectID).short }
        guard names == shown else { throw conflict }
        // Members that the form didn't list stay behind the listed ones.
        let rest = current.dropFirst(shown.count)
        let ordered = NSMutableOrderedSet(array: members)
        ordered.addObjects(from: Array(rest))
        object.setValue(ordered, forKey: name)
    }

    private var conflict: FieldValue.Mistake {
        FieldValue.Mistake(
            description: "\(name) has been changed since the form was shown. Load the page again to change it.",
            isConflict: true)
    }

    /// The object of a short ID.
    private func member(_ text: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        guard let id = store.objectID(text), let object = try? context.existingObject(with: id),
            let destination = relationship.destinationEntity, object.entity.isKindOf(entity: destination)
        else {
            let noun = relationship.destinationEntity?.name ?? "object"
            throw FieldValue.Mistake(description: "There is no \(noun) ‘\(ObjectLabel.cut(text, to: 100))’.")
        }
        return object
    }

    /// The only object that a typed text names: by its ID, or by its label.
    private func member(named text: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        guard let destination = relationship.destinationEntity else { throw WebFault.notFound }
        // A word that isn't compared, or an object that isn't found, could make another choice.
        let search = ObjectSearch(text, mostWords: Self.mostWords)
        let isWhole = search.words.count < Self.mostWords
        let found =
            isWhole ? try search.objects(of: destination, store: store, limit: Self.mostFound, in: context) : []
        if let object = found.first(where: { ObjectIDText($0.objectID).short == text }) { return object }
        if found.count < Self.mostFound {
            let exact = found.filter { ObjectLabel.text(of: $0) == text }
            if let object = exact.count == 1 ? exact.first : found.count == 1 ? found.first : nil { return object }
        }
        let noun = destination.name ?? "object"
        let cut = ObjectLabel.cut(text, to: 100)
        throw FieldValue.Mistake(
            description: found.isEmpty
                ? "No \(noun) matches ‘\(cut)’."
                : "‘\(cut)’ matches more than one \(noun). Choose one of the list, or type its ID.")
    }

    private static let mostWords = 100
    private static let mostFound = 20
}
