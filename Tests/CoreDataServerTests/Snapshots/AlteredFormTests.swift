import CoreDataServer
import CoreDataTestSupport
import TestSupport
import Testing

/// Forms of clients with each value replaced, removed and doubled.
@Suite("Altered forms")
struct AlteredFormTests {
    private static let form = AlteredForm.object(
        [
            ("objectID", .raw("\"$own\"")), ("version", .raw("1")), ("title", .raw("\"t\"")), ("isDone", .raw("true")),
            ("effort", .raw("3")), ("weight", .raw("0.5")), ("ratio", .raw("1.5")), ("cost", .raw("\"12.50\"")),
            ("due", .raw("\"2026-11-26T15:04:05Z\"")), ("image", .raw("\"AAEC\"")),
            ("key", .raw("\"8C3D0A5E-2F4B-4E53-9E0B-0A2B6F0C1D2E\"")), ("link", .raw("\"https://example.org/\"")),
            ("big", .raw("5")), ("place", .object([("city", .raw("\"Rome\"")), ("height", .raw("20"))])),
            ("assignee", .raw("\"ada@example.org\"")), ("team", .object([("name", .raw("\"red\""))])),
            (
                "steps",
                .array([
                    .object([("objectID", .raw("\"$step\"")), ("name", .raw("\"a\""))]),
                    .object([("name", .raw("\"new\""))]),
                ])
            ),
            ("tags", .array([.raw("\"$first\""), .raw("\"$second\"")])),
        ])

    @Test(
        "An altered form is refused without a change, or has its meaning", arguments: StoreKind.allCases)
    func alteredForms(kind: StoreKind) throws {
        try run(kind, isNew: false)
    }

    @Test("An altered form of a new object is refused without a change, or has its meaning")
    func alteredNewForms() throws {
        try run(.sqlite, isNew: true)
    }

    private func run(_ kind: StoreKind, isNew: Bool) throws {
        try withStack(kind, model: TeamModel.make()) { stack in
            let forms = try AlteredForms(stack, isNew: isNew)
            let alterations = Self.form.alterations.sampled(TestRun.quick(400, long: .max))
            for alteration in alterations { try forms.take(alteration) }
            // Both outcomes are frequent.
            #expect(min(forms.refused, forms.accepted) > alterations.count / 50)
        }
    }
}

/// A store with a task that forms are written into.
private final class AlteredForms {
    private let stack: TestStack
    private let isNew: Bool
    private let properties: SnapshotProperties
    private var baseline: Baseline?
    private(set) var refused = 0
    private(set) var accepted = 0

    private struct Baseline {
        let task: NSManagedObject
        let uris: [String: String]
    }

    init(_ stack: TestStack, isNew: Bool) throws {
        (self.stack, self.isNew) = (stack, isNew)
        let task = try requireValue(stack.model.entitiesByName["Task"])
        properties = try SnapshotProperties(
            SnapshotTests.everyAttribute + ["assignee", "team.name", "steps.name", "tags"], of: task,
            identifiers: ["Person": "email"], versionKey: "version", memberLimit: 10)
        stack.context.make("Member", "Ada", ["email": "ada@example.org"])
        stack.context.make("Person", "Eve", ["email": "a"])
        try stack.context.save()
    }

    /// A task as it was saved first.
    private func makeBaseline() throws -> Baseline {
        if let baseline { return baseline }
        let context = stack.context
        for entity in ["Task", "Team", "Step", "Tag"] {
            for object in try context.all(entity) { context.delete(object) }
        }
        let team = context.make("Team", "blue")
        let task = context.make("Task", nil, ["title": "before", "team": team])
        let step = context.make("Step", "before")
        task.setValue(NSOrderedSet(object: step), forKey: "steps")
        let tags = ["first", "second"].map { context.make("Tag", $0) }
        try context.save()
        func uri(_ object: NSManagedObject) -> String { object.objectID.uriRepresentation().absoluteString }
        let made = Baseline(
            task: task, uris: ["own": uri(task), "step": uri(step), "first": uri(tags[0]), "second": uri(tags[1])])
        baseline = made
        return made
    }

    func take(_ alteration: AlteredForm.Alteration) throws {
        let baseline = try makeBaseline()
        var json = Self.filling(alteration.text, baseline.uris)
        if isNew {
            // A new object has neither.
            let own = baseline.uris["own"] ?? ""
            json = json.replacingOccurrences(of: "\"objectID\":\"\(own)\",\"version\":1,", with: "")
        }
        do {
            let form = try ManagedObjectSnapshot(json: Data(json.utf8))
            let object: NSManagedObject
            if isNew {
                object = try properties.insert(form, into: stack.context)
            } else {
                object = baseline.task
                try properties.apply(form, to: object)
            }
            try save(object, alteration)
        } catch let error as SnapshotError {
            refused += 1
            #expect(!error.problems.isEmpty, "\(alteration.name)")
            #expect(!error.description.contains("secret"), "\(alteration.name): \(error)")
            expectFalse(stack.context.hasChanges, "\(alteration.name)")
            stack.context.rollback()
        }
    }

    /// - Throws: ``SnapshotError`` for a rule of the model.
    private func save(_ object: NSManagedObject, _ alteration: AlteredForm.Alteration) throws {
        do {
            try stack.context.save()
        } catch {
            stack.context.rollback()
            guard let problems = SnapshotError(validation: error) else {
                Issue.record("\(alteration.name): \(error)")
                throw SnapshotError(validation: NSError(domain: NSCocoaErrorDomain, code: 1550)) ?? error
            }
            throw problems
        }
        accepted += 1
        baseline = nil
        try expectMeaning(object.objectID, alteration)
    }

    /// Expects that the value of the altered key is the one in the form, and the others are those that were sent.
    private func expectMeaning(_ id: NSManagedObjectID, _ alteration: AlteredForm.Alteration) throws {
        let context = stack.newContext()
        try on(context) {
            let task = try context.existingObject(with: id)
            for (key, property) in task.entity.propertiesByName {
                let value = task.value(forKey: key)
                if let attribute = property as? NSAttributeDescription {
                    let text = key == alteration.key ? alteration.value : SentValues.text[key]
                    guard let text else { continue }
                    // A form that was replaced as a whole, or without the key, has no value for it.
                    guard alteration.key != nil else { continue }
                    let isMeant = FormMeaning.isValue(value, of: text, attribute)
                    expectTrue(isMeant, "\(alteration.name): \(key) is \(value ?? "nil")")
                } else if let relationship = property as? NSRelationshipDescription {
                    let destination = try requireValue(relationship.destinationEntity)
                    for case let member as NSManagedObject in FormMeaning.objects(value) {
                        expectTrue(member.entity.isKindOf(entity: destination), "\(alteration.name): \(key)")
                        try #expect(context.existingObject(with: member.objectID) === member)
                    }
                }
            }
        }
    }

    /// A text with the URIs of its names, or with others that are made of them: `$tag#store` is one of another store.
    private static func filling(_ text: String, _ uris: [String: String]) -> String {
        var parts = text.components(separatedBy: "$")
        for (index, part) in parts.enumerated().dropFirst() {
            let name = part.prefix { $0.isLetter }
            guard let uri = uris[String(name)] else { continue }
            let rest = part.dropFirst(name.count)
            let change = rest.prefix { $0 != "\"" }
            if change.first == "#", let other = Self.changed(uri, String(change.dropFirst())) {
                parts[index] = other + rest.dropFirst(change.count)
            } else {
                parts[index] = uri + rest
            }
        }
        return parts.joined()
    }

    private static func changed(_ uri: String, _ change: String) -> String? {
        let parts = uri.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else { return nil }
        let (host, entity, number) = (parts[2], parts[3], parts[4].dropFirst())
        switch change {
        case "store": return "x-coredata://\(UUID().uuidString)/\(entity)/p\(number)"
        case "small": return uri.lowercased()
        case "scheme": return "http://\(host)/\(entity)/p\(number)"
        case "user": return "x-coredata://a:b@\(host)/\(entity)/p\(number)"
        case "port": return "x-coredata://\(host):1/\(entity)/p\(number)"
        case "escaped": return "x-coredata://\(host)/\(entity)/%70\(number)"
        case "Team", "Person", "Unknown", "Step": return "x-coredata://\(host)/\(change)/p\(number)"
        case "p0", "p-1", "p": return "x-coredata://\(host)/\(entity)/\(change)"
        case "p+1": return "x-coredata://\(host)/\(entity)/p+\(number)"
        case "p01": return "x-coredata://\(host)/\(entity)/p0\(number)"
        case "t1": return "x-coredata://\(host)/\(entity)/t\(number)"
        default: return nil
        }
    }
}

/// The values of the form that isn't altered.
private enum SentValues {
    static let text = [
        "title": "\"t\"", "isDone": "true", "effort": "3", "weight": "0.5", "ratio": "1.5", "cost": "\"12.50\"",
        "due": "\"2026-11-26T15:04:05Z\"", "image": "\"AAEC\"", "key": "\"8C3D0A5E-2F4B-4E53-9E0B-0A2B6F0C1D2E\"",
        "link": "\"https://example.org/\"", "big": "5",
    ]
}

/// The meaning of a value in the text of a form, found in another way than the library does.
private enum FormMeaning {
    static func objects(_ value: Any?) -> [Any] {
        switch value {
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let object?: [object]
        case nil: []
        }
    }

    static func isValue(_ value: Any?, of text: String, _ attribute: NSAttributeDescription) -> Bool {
        if text == "null" { return value == nil }
        let decoded = try? JSONDecoder().decode(String.self, from: Data(text.utf8))
        // Spaces around a text that is no string don't count.
        let trimmed = decoded?.trimmingCharacters(in: .whitespaces)
        let number = value as? NSNumber
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            // A number with a point or an exponent has the precision of a Double.
            return decoded == nil && (Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }) == number?.int64Value
        case .doubleAttributeType: return decoded == nil && Double(text) == number?.doubleValue
        case .floatAttributeType: return decoded == nil && Float(text) == number?.floatValue
        case .booleanAttributeType: return (text == "true" || text == "false") && number?.boolValue == (text == "true")
        // A SQLite store has the number as a Double.
        case .decimalAttributeType: return Double(trimmed ?? text) == number?.doubleValue
        case .stringAttributeType: return decoded != nil && decoded == value as? String
        case .dateAttributeType:
            guard let date = value as? Date, let trimmed else { return false }
            // The year is the year in the text.
            let year = Calendar(identifier: .gregorian).component(.year, from: date)
            return trimmed.hasPrefix("-") || abs((Int(trimmed.prefix { $0 != "-" }) ?? .max) - year) <= 1
        case .binaryDataAttributeType: return trimmed.flatMap { Data(base64Encoded: $0) } == value as? Data
        case .UUIDAttributeType: return trimmed.flatMap { UUID(uuidString: $0) } == value as? UUID
        case .URIAttributeType: return trimmed.flatMap { URL(string: $0) } == value as? URL
        case .compositeAttributeType: return text.hasPrefix("{") && value is NSDictionary?
        default: return value == nil
        }
    }
}
