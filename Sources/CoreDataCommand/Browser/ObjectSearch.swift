// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Finds objects by words of their texts (the first eight, unless all are asked for), by a UUID, or by their ID.
struct ObjectSearch {
    let text: String
    let words: [String]

    /// - Parameter mostWords: the words behind them aren't compared.
    init(_ text: String, mostWords: Int = 8) {
        self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        words = self.text.split(whereSeparator: \.isWhitespace).prefix(mostWords).map(String.init)
    }

    /// The objects of an entity and its subentities that match, the first ones by their keys.
    ///
    /// - Parameters:
    ///   - ofAllTexts: whether all attributes with texts are searched, or else only the attributes in labels.
    ///   - includesSubentities: whether objects of subentities are found, too.
    ///   - limit: the greatest number of objects, at least 1.
    func objects(
        of entity: NSEntityDescription, store: ReadOnlyStore, ofAllTexts: Bool = false,
        includesSubentities: Bool = true, limit: Int, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.fetchLimit = limit
        request.includesSubentities = includesSubentities
        request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        guard !words.isEmpty else { return try context.fetch(request) }
        var found: [NSManagedObject] = []
        if let id = id(entity, store) {
            let own = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            own.includesSubentities = includesSubentities
            own.predicate = NSPredicate(format: "SELF == %@", argumentArray: [id])
            found = try context.fetch(own)
        }
        if let predicate = predicate(of: entity, ofAllTexts: ofAllTexts) {
            request.predicate = predicate
            found += try context.fetch(request).filter { object in !found.contains { $0 === object } }
        }
        return Array(found.prefix(limit))
    }

    /// The ID of the text `Car/p12`, or `p12`.
    private func id(_ entity: NSEntityDescription, _ store: ReadOnlyStore) -> NSManagedObjectID? {
        store.objectID(text) ?? store.objectID("\(entity.name ?? "")/\(text)")
    }

    /// Each word is in a text or equals a whole number, or the text is a UUID of the object; nil if nothing can match.
    func predicate(of entity: NSEntityDescription, ofAllTexts: Bool) -> NSPredicate? {
        let names = ofAllTexts ? Self.texts(of: entity) : ObjectLabel.names(of: entity)
        let types = names.compactMap { name in entity.attributesByName[name].map { (name, $0.attributeType) } }
        var parts = words.map { word in
            let comparisons = types.compactMap { name, type -> NSPredicate? in
                if type == .stringAttributeType {
                    return NSPredicate(format: "%K CONTAINS[cd] %@", argumentArray: [name, word])
                }
                return Int64(word).map { NSPredicate(format: "%K == %@", argumentArray: [name, NSNumber(value: $0)]) }
            }
            return NSCompoundPredicate(orPredicateWithSubpredicates: comparisons)
        }
        if parts.contains(where: \.subpredicates.isEmpty) { parts = [] }
        let all = parts.isEmpty ? [] : [NSCompoundPredicate(andPredicateWithSubpredicates: parts)]
        let any = all + identifiers(of: entity)
        return any.count > 1 ? NSCompoundPredicate(orPredicateWithSubpredicates: any) : any.first
    }

    private func identifiers(of entity: NSEntityDescription) -> [NSPredicate] {
        guard let uuid = UUID(uuidString: text) else { return [] }
        return entity.storedAttributes.filter { $0.attributeType == .UUIDAttributeType }
            .map { NSPredicate(format: "%K == %@", argumentArray: [$0.name, uuid]) }
    }

    /// The attributes in labels, among them whole numbers, then all other attributes with texts.
    static func texts(of entity: NSEntityDescription) -> [String] {
        let all = entity.storedAttributes.filter { $0.attributeType == .stringAttributeType }
        let label = ObjectLabel.names(of: entity)
        return label + all.map(\.name).filter { !label.contains($0) }
    }
}
