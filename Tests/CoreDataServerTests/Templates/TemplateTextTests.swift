import CoreDataServer
import TestExpectations
import Testing

@Suite("A fetch request template with texts and constants")
struct TemplateTextTests {
    private static func model(_ format: String) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Note"
        let types: [(String, NSAttributeType)] = [
            ("title", .stringAttributeType), ("key", .UUIDAttributeType), ("size", .integer64AttributeType),
        ]
        entity.properties = types.map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        request.predicate = NSPredicate(format: format)
        model.setFetchRequestTemplate(request, forName: "notes")
        return model
    }

    private static let key = UUID()

    @Test(
        "compares attributes with values of their types",
        arguments: [
            ("title == $TITLE", ["TITLE": "7"], [:], true), ("size < $SIZE", ["SIZE": "8"], [:], true),
            ("size IN {$ONE, $TWO}", ["ONE": "6", "TWO": "7"], [:], true),
            ("NOT title == $USER AND size == $SIZE", ["SIZE": "7"], ["USER": ["8"]], true),
            ("title == $USER", [:], ["USER": ["6", "7"]], true), ("$USER == title", [:], ["USER": ["6"]], false),
            ("title IN $USER", [:], ["USER": ["67"]], false), ("key == $USER", [:], ["USER": [key.uuidString]], true),
            ("title BEGINSWITH $USER", [:], ["USER": ["7"]], true),
        ] as [(String, [String: String], [String: [String]], Bool)])
    func values(
        _ format: String, _ texts: [String: String], _ constants: [String: [String]], _ isFound: Bool
    ) throws {
        let request = try Self.model(format).fetchRequestFromTemplate(
            withName: "notes", texts: texts, constants: constants)
        let note: [String: Any] = ["title": "7", "key": Self.key, "size": 7]
        expectEqual(request?.predicate?.evaluate(with: note), isFound)
    }

    @Test(
        "names the variable that has no value, or one that it can't have",
        arguments: [
            ("title == $TITLE", [:], "TITLE"), ("size == $SIZE", ["SIZE": "a"], "SIZE"),
            ("title == $TITLE", ["TITLE": "a", "OTHER": "b"], "OTHER"), ("title == $USER", ["USER": "a"], "USER"),
            ("title BEGINSWITH $USER", [:], "USER"), ("$ONE == $TWO", ["ONE": "a", "TWO": "b"], "ONE"),
        ] as [(String, [String: String], String)])
    func refused(_ format: String, _ texts: [String: String], _ variable: String) {
        let error = #expect(throws: TemplateVariableError.self) {
            try Self.model(format).fetchRequestFromTemplate(
                withName: "notes", texts: texts, constants: ["USER": ["a", "b"]])
        }
        expectEqual(error?.variable, variable)
    }
}
