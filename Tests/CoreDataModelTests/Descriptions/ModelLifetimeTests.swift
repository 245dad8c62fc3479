import CoreDataModel
import CoreDataPredicates
import Testing

/// A process with a container for each tenant makes many models. A model must be freed when it is released.
@Suite("Lifetime of models")
struct ModelLifetimeTests {
    /// Weak references to a model and to every description in it.
    private struct References {
        private final class Weak {
            weak var object: AnyObject?
            let name: String

            init(_ object: AnyObject, _ name: String) {
                self.object = object
                self.name = name
            }
        }

        private var references: [Weak] = []

        mutating func add(_ object: AnyObject, _ name: String) { references.append(Weak(object, name)) }

        mutating func add(_ entity: NSEntityDescription) {
            let name = entity.name ?? ""
            add(entity, name)
            for property in entity.properties {
                add(property, "\(name).\(property.name)")
                if let request = (property as? NSFetchedPropertyDescription)?.fetchRequest {
                    add(request, "request of \(name).\(property.name)")
                }
                for element in (property as? NSCompositeAttributeDescription)?.elements ?? [] {
                    add(element, "\(name).\(property.name).\(element.name)")
                }
            }
            for index in entity.indexes {
                add(index, "index \(index.name)")
                for element in index.elements { add(element, "element of index \(index.name)") }
            }
        }

        mutating func add(_ model: NSManagedObjectModel) {
            add(model as AnyObject, "model")
            for entity in model.entities { add(entity) }
            for (name, request) in model.fetchRequestTemplatesByName { add(request, "template \(name)") }
        }

        /// The names of the objects that are still alive.
        var alive: [String] { references.filter { $0.object != nil }.map(\.name) }

        var count: Int { references.count }
    }

    @Test("A model made in code is freed with all its descriptions, mutable or immutable", arguments: [false, true])
    func madeInCode(isFrozen: Bool) {
        var references = References()
        do {
            let model = LibraryModel.make()
            if isFrozen { model.freeze() }
            references.add(model)
        }
        #expect(references.count > 20)
        expectEmpty(references.alive)
    }

    @Test(
        "A model read from a file is freed, however often the file is read",
        arguments: ["Full.mom", "Full.momd", "Full.xcdatamodel", "Full.coredata"])
    func readFromFile(name: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent(name)
        try write(FullSourceModel.xml, as: url, in: folder)
        var references = References()
        for isFrozen in [false, true] {
            let model = try requireValue(NSManagedObjectModel(contentsOf: url))
            if isFrozen { model.freeze() }
            references.add(model)
        }
        #expect(references.count > 20)
        expectEmpty(references.alive)
    }

    private func write(_ xml: String, as url: URL, in folder: TemporaryFolder) throws {
        let source = try folder.write(xml, to: "Source.xcdatamodel/contents")
        let model = try ModelFile.load(at: source)
        switch url.pathExtension {
        case "mom": try ModelArchive.encode(model, as: .compiled).write(to: url)
        case "momd": try CompiledModelBundle.write(["1": model], current: "1", to: url)
        case "xcdatamodel": try SourceModelWriter.write(model, to: url)
        default: try TextNotation.write(model, to: url)
        }
    }

    @Test("Copies and merged models are freed, and don't retain the models that they were made from")
    func copiesAndMergedModels() throws {
        var originals = References()
        var results = References()
        let copy: NSManagedObjectModel
        do {
            let model = LibraryModel.make()
            model.freeze()
            let other = CarModel.make()
            copy = try requireValue(model.copy() as? NSManagedObjectModel)
            let merged = try requireValue(NSManagedObjectModel(byMerging: [model, other]))
            originals.add(model)
            originals.add(other)
            results.add(merged)
        }
        expectEmpty(originals.alive)
        expectEmpty(results.alive)
        expectEqual(copy.entity(named: "Author")?.ownProperties.isEmpty, false)
    }

    /// A fetched property refers to its own entity through its request.
    private func entityWithFetchedProperty() -> NSEntityDescription {
        let entity = CarModel.entity("Node")
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        let fetched = NSFetchedPropertyDescription()
        fetched.name = "others"
        fetched.fetchRequest = request
        entity.properties = [fetched]
        return entity
    }

    @Test("An entity whose fetched property fetches the entity itself is freed without a model")
    func fetchedPropertyWithoutModel() {
        var references = References()
        do {
            let entity = entityWithFetchedProperty()
            references.add(entity)
            // The order of the assignments doesn't matter.
            let later = CarModel.entity("Later")
            let fetched = NSFetchedPropertyDescription()
            fetched.name = "others"
            fetched.fetchRequest = NSFetchRequest(entityName: "Later")
            later.properties = [fetched]
            fetched.fetchRequest?.entity = later
            references.add(later)
        }
        expectEmpty(references.alive)
    }

    @Test("An entity that is removed from its model is freed")
    func removedEntity() {
        let model = NSManagedObjectModel()
        var references = References()
        do {
            let entity = entityWithFetchedProperty()
            model.entities = [entity, CarModel.entity("Rest")]
            references.add(entity)
            model.entities = model.entities.filter { $0.name == "Rest" }
        }
        expectEmpty(references.alive)
    }

    @Test("A fetched property knows the entity of its request as long as the entity exists, and then its name")
    func fetchedPropertyEntity() throws {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        do {
            let model = NSManagedObjectModel()
            let entity = entityWithFetchedProperty()
            model.entities = [entity]
            let fetched = try requireValue(entity.properties.first as? NSFetchedPropertyDescription)
            fetched.fetchRequest = request
            request.entity = entity
            #expect(request.entity === entity)
            model.freeze()
            #expect(fetched.fetchRequest?.entity === entity)
        }
        expectEqual(request.entity, nil)
        expectEqual(request.entityName, "Node")
    }

    @Test("A copy of a fetched property's request retains the entity")
    func copiedRequest() throws {
        let copy: NSFetchRequest<any NSFetchRequestResult>
        do {
            let entity = entityWithFetchedProperty()
            let fetched = try requireValue(entity.properties.first as? NSFetchedPropertyDescription)
            copy = try #require(fetched.fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>)
        }
        expectEqual(copy.entity?.name, "Node")
    }

    @Test("A decoded entity, property, index or element that is put into its own model is freed")
    func decodedParts() throws {
        func decode<Object: NSObject & NSCoding>(_ object: Object) throws -> Object {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            return try requireValue(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
        }
        var references = References()
        do {
            let source = LibraryModel.make()
            let author = try requireValue(source.entity(named: "Author"))
            let decoded = try decode(author)
            let model = decoded.managedObjectModel
            model.entities = model.entities.filter { $0.name != "Author" } + [decoded]
            references.add(model)

            let attribute = try decode(try requireValue(author.attributesByName["name"]))
            let owner = attribute.entity
            let owningModel = owner.managedObjectModel
            owner.properties = owner.ownProperties.filter { $0.name != "name" } + [attribute]
            references.add(owningModel)

            let index = try decode(try requireValue(author.indexes.first))
            let indexOwner = try requireValue(index.entity)
            let indexModel = indexOwner.managedObjectModel
            indexOwner.indexes = [index]
            references.add(indexModel)

            let element = try decode(try requireValue(author.indexes.first?.elements.first))
            let elementOwner = try requireValue(element.indexDescription)
            let elementModel = try requireValue(elementOwner.entity).managedObjectModel
            elementOwner.elements = [element]
            references.add(elementModel)
        }
        expectEmpty(references.alive)
    }
}
