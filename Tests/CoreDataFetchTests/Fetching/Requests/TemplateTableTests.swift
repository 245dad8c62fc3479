import CoreData
import Testing

/// A template of the realm's model, with the values of its variables.
struct FilledTemplate: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let names: [String]
    let variables: @Sendable (Realm) -> [String: Any]

    init(
        _ name: String, _ note: String = "", _ names: String,
        _ variables: @escaping @Sendable (Realm) -> [String: Any] = { _ in [:] }
    ) {
        testDescription = "\(name) \(note)"
        self.name = name
        self.names = names.split(separator: " ").map(String.init)
        self.variables = variables
    }

    static let all: [FilledTemplate] = [
        FilledTemplate("worksOfName", "Ann", "Atlas Birds") { _ in ["NAME": "Ann"] },
        FilledTemplate("worksOfName", "nobody", "") { _ in ["NAME": "Nobody"] },
        FilledTemplate("worksOfName", "null", "Fog") { _ in ["NAME": NSNull()] },
        FilledTemplate("worksBetween", "two years", "Atlas Birds Clouds") { _ in ["LOW": 1990, "HIGH": 2001] },
        FilledTemplate("worksOf", "an object", "Dreams Echo") { ["WHO": $0["Eva"]] },
        FilledTemplate("worksOf", "an ID", "Dreams Echo") { ["WHO": $0["Eva"].objectID] },
        FilledTemplate("worksOf", "null", "Fog") { _ in ["WHO": NSNull()] },
        FilledTemplate("worksTagged", "objects", "Atlas Clouds Fog Grass") { ["TAGS": $0("maps sky")] },
        FilledTemplate("worksTagged", "a set", "Atlas Clouds Fog Grass") { ["TAGS": NSSet(array: $0("maps sky"))] },
        FilledTemplate("worksNamed", "a part", "Atlas Dreams Grass") { _ in ["TEXT": "A"] },
        FilledTemplate("worksWithChapters", "of a length", "Atlas Birds") { _ in ["WORDS": 1500] },
        FilledTemplate("bestWorks", "", "Echo Atlas"),
    ]
}

@Suite("Templates of the realm")
struct TemplateTableTests {
    @Test("filled with values they find what a request of one's own finds", arguments: FilledTemplate.all)
    func filled(_ template: FilledTemplate) throws {
        for realm in try Realm.all() {
            try realm.context.performAndWait {
                let model = realm.context.persistentStoreCoordinator!.managedObjectModel
                let filled = model.fetchRequestFromTemplate(
                    withName: template.name, substitutionVariables: template.variables(realm))
                let request = try requireValue(filled)
                let found = try realm.context.fetch(request) as? [NSManagedObject]
                let names = found?.map { $0.text("name")! }
                expectEqual(names, template.names, "\(realm.place)")
            }
        }
    }
}
