import CoreDataPredicates
import Testing

@testable import CoreDataModel

@Suite("Models and their parts in archives")
struct CodingTests {
    private func archive(_ object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private func roundTrip<Object: NSObject & NSCoding>(_ object: Object) throws -> Object? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: try archive(object))
    }

    @Test("A decoded model has the same templates, predicates, indexes, configurations and localization")
    func models() throws {
        let model = LibraryModel.make()
        model.localizationDictionary = ["Entity/Book": "Buch"]
        let again = try requireValue(try roundTrip(model))
        expectEqual(again, model)
        expectEqual(again.entityVersionHashesByName, model.entityVersionHashesByName)
        expectEqual(again.localizationDictionary, ["Entity/Book": "Buch"])
        expectEqual(again.configurations, model.configurations)
        #expect(!model.fetchRequestTemplatesByName.isEmpty)
        for (name, template) in model.fetchRequestTemplatesByName {
            expectEqual(
                again.fetchRequestTemplate(forName: name)?.predicate?.predicateText, template.predicate?.predicateText
            )
        }
    }

    @Test("A decoded immutable model is mutable")
    func frozenModels() throws {
        let model = LibraryModel.make()
        model.freeze()
        let again = try requireValue(try roundTrip(model))
        expectEqual(again, model)
        again.entities[0].userInfo = ["a": 1]
    }

    @Test("A decoded index gets no legacy flag")
    func indexForms() throws {
        let attribute = NSAttributeDescription()
        attribute.name = "title"
        attribute.attributeType = .stringAttributeType
        let entity = NSEntityDescription()
        entity.name = "Song"
        entity.properties = [attribute]
        entity.indexes = [
            NSFetchIndexDescription(
                name: "byTitle", elements: [NSFetchIndexElementDescription(property: attribute, collationType: .binary)]
            )
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let again = try requireValue(try roundTrip(model))
        expectEqual(again, model)
        expectEqual(again.entities[0].indexes.count, 1)
        expectEqual(again.entities[0].ownProperties.first?.hasLegacyIndex, false)
    }

    @Test("A decoded entity has its model: related entities, inherited properties and hash")
    func entities() throws {
        let model = LibraryModel.make()
        for entity in model.entities {
            let again = try requireValue(try roundTrip(entity))
            expectEqual(again, entity, "\(entity.name ?? "")")
            expectEqual(again.superentity, entity.superentity)
            expectEqual(again.subentities, entity.subentities)
            expectEqual(again.versionHash, entity.versionHash)
            expectEqual(again.managedObjectModel, model)
            expectEqual(again.propertiesByName, entity.propertiesByName)
            for relationship in again.relationshipsByName.values {
                expectEqual(
                    relationship.destinationEntity?.name,
                    entity.relationshipsByName[relationship.name]?.destinationEntity?.name)
                expectEqual(
                    relationship.inverseRelationship?.name,
                    entity.relationshipsByName[relationship.name]?.inverseRelationship?.name)
            }
        }
    }

    @Test("Decoded descriptions form no retain cycle")
    func lifetimes() throws {
        weak var model: NSManagedObjectModel?
        weak var entity: NSEntityDescription?
        weak var property: NSPropertyDescription?
        do {
            let source = LibraryModel.make()
            let book = try requireValue(source.entity(named: "Book"))
            let again = try requireValue(try roundTrip(book))
            entity = again
            model = again.managedObjectModel
            let authors = try requireValue(book.relationshipsByName["authors"])
            let relationship = try requireValue(try roundTrip(authors))
            property = relationship
            expectEqual(relationship.entity.name, "Book")
            expectEqual(relationship.destinationEntity?.name, "Author")
            #expect(model != nil)
        }
        expectEqual(model, nil)
        expectEqual(entity, nil)
        expectEqual(property, nil)
    }

    @Test("A decoded property, index or element has the same class and values")
    func parts() throws {
        let model = LibraryModel.make()
        for entity in model.entities {
            for property in entity.ownProperties {
                let data = try archive(property)
                let again = try requireValue(
                    try NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: property), from: data))
                #expect(type(of: again) == type(of: property))
                expectTrue(again.isEqual(property), "\(property.name)")
            }
            for index in entity.indexes {
                try expectEqual(roundTrip(index), index)
                for element in index.elements { try expectEqual(roundTrip(element), element) }
            }
        }
    }

    @Test("Descriptions without a model are decoded unchanged")
    func detachedParts() throws {
        let model = LibraryModel.make()
        for entity in model.entities {
            let copy = try requireValue(entity.copy() as? NSEntityDescription)
            try expectEqual(roundTrip(copy), copy)
            for property in entity.ownProperties {
                let copy = try requireValue(property.copy() as? NSPropertyDescription)
                let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: copy), from: try archive(copy))
                expectEqual(again?.isEqual(copy), true, "\(property.name)")
            }
            for index in entity.indexes {
                let copy = try requireValue(index.copy() as? NSFetchIndexDescription)
                try expectEqual(roundTrip(copy), copy)
                let element = try requireValue(index.elements[0].copy() as? NSFetchIndexElementDescription)
                try expectEqual(roundTrip(element), element)
            }
        }
    }

    @Test("Empty descriptions are decoded unchanged")
    func emptyParts() throws {
        try expectEqual(roundTrip(NSManagedObjectModel()), NSManagedObjectModel())
        let entity = try requireValue(try roundTrip(NSEntityDescription()))
        expectEqual(entity.name, nil)
        expectEmpty(entity.properties)
        let attribute = try requireValue(try roundTrip(NSAttributeDescription()))
        expectEqual(attribute.name, "")
        expectEqual(attribute.attributeType, .undefinedAttributeType)
        expectEqual(attribute.owningEntity, nil)
        let relationship = try requireValue(try roundTrip(NSRelationshipDescription()))
        expectEqual(relationship.destinationEntityName, nil)
        expectTrue(relationship.isToMany)
        let expression = NSExpressionDescription()
        expression.name = "total"
        expression.expression = NSExpression(format: "sum:(prices)")
        expression.expressionResultType = .decimalAttributeType
        try expectEqual(roundTrip(expression), expression)
    }

    @Test("Damaged archives are refused with an error")
    func hostileArchives() throws {
        let data = try archive(LibraryModel.make().entities[0])
        let seed = TestRun.seed(for: "Damaged archive of an entity")
        var generator = SeededGenerator(seed: seed)
        let inner = try requireValue(data.range(of: Data("bplist".utf8), in: 6..<data.count))
        for _ in 0..<300 {
            var damaged = data
            // Only the model's own archive is damaged. Foundation reads the outer archive.
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let position = Int.random(
                    in: inner.lowerBound..<(inner.lowerBound + (data.count - inner.lowerBound) / 2), using: &generator)
                damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
            guard let coder = try? NSKeyedUnarchiver(forReadingFrom: damaged) else { continue }
            coder.decodingFailurePolicy = .setErrorAndReturn
            if let entity = coder.decodeObject(of: NSEntityDescription.self, forKey: NSKeyedArchiveRootObjectKey) {
                _ = entity.versionHash
            }
        }
    }

    @Test(
        "Archives without a model, with a wrong path, or with another object instead of the model are refused",
        arguments: WrongArchive.Form.allCases)
    func wrongContents(form: WrongArchive.Form) throws {
        let coder = try NSKeyedUnarchiver(forReadingFrom: try archive(WrongArchive(form)))
        coder.requiresSecureCoding = true
        coder.decodingFailurePolicy = .setErrorAndReturn
        coder.setClass(NSEntityDescription.self, forClassName: NSStringFromClass(WrongArchive.self))
        expectEqual(coder.decodeObject(of: NSEntityDescription.self, forKey: NSKeyedArchiveRootObjectKey), nil)
        #expect(coder.error != nil)
    }
}

/// Encodes invalid contents under the name of an entity. The class can't be private, because the unarchiver finds it by
/// name.
final class WrongArchive: NSObject, NSSecureCoding {
    enum Form: CaseIterable, Sendable {
        case nothing, text, noPropertyList, noModel, noPath, unknownEntity, shortPath, otherPart
    }

    let form: Form

    init(_ form: Form) { self.form = form }

    init?(coder: NSCoder) { nil }

    static let supportsSecureCoding = true

    func encode(with coder: NSCoder) {
        switch form {
        case .nothing: return
        case .text: coder.encode("model" as NSString, forKey: "NSModelArchive")
        case .noPropertyList: write(Data("model".utf8), coder)
        case .noModel: write(["path": .array([.string("entity"), .string("Book")])], coder)
        case .noPath: write(path: nil, coder)
        case .unknownEntity: write(path: ["entity", "Nobody"], coder)
        case .shortPath: write(path: ["element"], coder)
        case .otherPart: write(path: ["property", "Book", "pages"], coder)
        }
    }

    private func write(path: [String]?, _ coder: NSCoder) {
        guard let model = try? ModelArchive.encode(LibraryModel.make(), as: .coded) else { return }
        var entries: [(key: String, value: PropertyListValue)] = [("model", .data(model))]
        if let path { entries.append(("path", .array(path.map(PropertyListValue.string)))) }
        write(PropertyListDictionary(entries), coder)
    }

    private func write(_ entries: PropertyListDictionary, _ coder: NSCoder) {
        write(BinaryPropertyListWriter.write(.dictionary(entries)), coder)
    }

    private func write(_ data: Data, _ coder: NSCoder) {
        data.withUnsafeBytes {
            coder.encodeBytes($0.bindMemory(to: UInt8.self).baseAddress, length: data.count, forKey: "NSModelArchive")
        }
    }
}
