import CoreDataPredicates
import Testing

@testable import CoreDataModel

@Suite("Model caches of stores")
struct ModelCacheTests {
    private let model = LibraryModel.make()

    private func root() throws -> KeyedArchiveObject {
        try KeyedArchiveReader(ModelArchive.encode(model, as: .storeCache)).root()
    }

    private func entity(_ name: String) throws -> KeyedArchiveObject {
        try requireValue(try root().entries("NSEntities")?.first { $0.key == name }?.value.object)
    }

    @Test("Entities are a dictionary with fixed keys in byte order")
    func entities() throws {
        let entities = try root().requiredObject("NSEntities")
        expectEqual(entities.className, "NSKnownKeysDictionary1")
        try expectEqual(entities.entries().map(\.key), ["Author", "Book", "Item", "Shelf"])
        try expectEqual(entities.integer("version"), 1)
        let mapping = try entities.requiredObject("searchMapping")
        expectEqual(mapping.className, "NSKnownKeysMappingStrategy1")
        try expectEqual(mapping.integer("length"), 4)
    }

    @Test("A model cache has no templates and class names")
    func leftOut() throws {
        #expect(try root().object("NSFetchRequestTemplates") == nil)
        try expectEqual(entity("Author").string("NSClassNameForEntity"), nil)
    }

    @Test("Subentities have copies of the inherited properties, which name them as their entity")
    func copies() throws {
        let book = try entity("Book")
        let properties = try requireValue(try book.entries("NSProperties"))
        expectContains(properties.map(\.key), "title")
        for (_, value) in properties { try expectEqual(value.object?.object("NSEntity")?.index, book.index) }
        let item = try entity("Item")
        for (_, value) in try #require(try item.entries("NSProperties")) {
            try expectEqual(value.object?.object("NSEntity")?.index, item.index)
        }
    }

    @Test("A model cache has the indexes of the store, and no legacy indexes with relationships")
    func indexes() throws {
        let entity = try requireValue(model.entitiesByName["Book"])
        entity.indexes = [
            NSFetchIndexDescription(
                name: "byPlace",
                elements: [
                    NSFetchIndexElementDescription(propertyName: "place", collationType: .binary),
                    NSFetchIndexElementDescription(propertyName: "pages", collationType: .binary),
                ])
        ]
        try expectEqual(
            self.entity("Book").objects("NSFetchIndexDescriptions")?.map { try $0.string("NSIndexName") },
            [
                "byPlace"
            ])
        try expectEqual(self.entity("Book").elements("NSCompoundIndexes")?.isEmpty, true)
        try expectEqual(
            self.entity("Item").objects("NSFetchIndexDescriptions")?.map { try $0.string("NSIndexName") },
            [
                "title"
            ])
        try expectEqual(self.entity("Shelf").elements("NSCompoundIndexes")?.count, 1)
    }

    @Test("A model cache is read as the model without class names and templates")
    func reading() throws {
        let read = try ModelArchive.decode(ModelArchive.encode(model, as: .storeCache))
        expectEqual(read.entityVersionHashesByName, model.entityVersionHashesByName)
        expectEqual(read.entitiesByName["Book"]?.ownProperties.map(\.name), ["authors", "pages", "place", "related"])
        expectEqual(read.entitiesByName["Book"]?.superentity?.name, "Item")
        expectEqual(read.entitiesByName["Book"]?.managedObjectClassName, "NSManagedObject")
        expectEmpty(read.fetchRequestTemplatesByName)
        expectEqual(read.versionIdentifiers, ["2.0"])
        let again = try ModelArchive.decode(ModelArchive.encode(read, as: .storeCache))
        expectEqual(again, read)
    }

    @Test("Proxies of inherited properties and mutable strings of older systems are read")
    func olderForm() throws {
        let data = try ArchiveEditing.withProxies(ModelArchive.encode(model, as: .storeCache))
        let read = try ModelArchive.decode(data)
        expectEqual(read.entityVersionHashesByName, model.entityVersionHashesByName)
        expectEqual(read.entitiesByName["Book"]?.ownProperties.count, 4)
    }

    @Test("Legacy forms of indexes are converted to fetch indexes")
    func legacyIndexes() throws {
        let data = try ArchiveEditing.editing(ModelArchive.encode(model, as: .storeCache), class: "NSEntityDescription")
        {
            $0["NSFetchIndexDescriptions"] = nil
        }
        let read = try ModelArchive.decode(data)
        expectEqual(read.entitiesByName["Item"]?.indexes.map(\.name), ["title"])
        expectEqual(read.entitiesByName["Shelf"]?.indexes.map(\.name), ["row_isbn"])
    }
}
