import CoreData
import Testing

enum RegisteredMood: Int16 {
    case glad = 1
    case sad
}

class RegisteredPerson: NSManagedObject {
    var initial: String { String((value(forKey: "name") as? String ?? "").prefix(1)) }
    var mood = RegisteredMood.glad
    var length: Int {
        get { (value(forKey: "name") as? String ?? "").count }
        set { setValue(String(repeating: "x", count: newValue), forKey: "name") }
    }
    var nickname: String?

    static let register: Void = {
        NSManagedObject.register("initial", of: RegisteredPerson.self, get: { $0.initial })
        NSManagedObject.register("mood", of: RegisteredPerson.self, get: { $0.mood }, set: { $0.mood = $1 })
        NSManagedObject.register("length", of: RegisteredPerson.self, get: { $0.length }, set: { $0.length = $1 })
        NSManagedObject.register("nickname", of: RegisteredPerson.self, get: { $0.nickname }, set: { $0.nickname = $1 })
        NSManagedObject.registerValidation(of: "name", in: RegisteredPerson.self) { _, value in
            if (value.pointee as? String) == "nobody" { throw NSError(domain: "Person", code: 1) }
            if let name = value.pointee as? String { value.pointee = name.capitalized as NSString }
        }
    }()
}

final class RegisteredChild: RegisteredPerson {}

@Suite("Registered properties")
struct RegisteredPropertyTests {
    private func withPeople(_ body: (TestStack, RegisteredChild) throws -> Void) throws {
        RegisteredPerson.register
        let person = entity("Person", [attribute("name", .stringAttributeType)])
        person.managedObjectClassName = "RegisteredChild"
        let model = NSManagedObjectModel()
        model.entities = [person]
        try withStack(.memory, model: model) { stack in
            try body(stack, stack.context.make("Person", "ada") as! RegisteredChild)
        }
    }

    @Test("value(forKey:) and key paths read them, also in subclasses")
    func reading() throws {
        try withPeople { stack, person in
            #expect(person.value(forKey: "initial") as? String == "a")
            #expect(person.value(forKey: "length") as? NSNumber == 3)
            #expect(person.value(forKey: "mood") as? NSNumber == 1)
            #expect(person.value(forKey: "nickname") == nil)
            #expect(([person] as NSArray).value(forKeyPath: "@max.length") as? NSNumber == 3)
        }
    }

    @Test("setValue(_:forKey:) sets them, with numbers and nil converted")
    func writing() throws {
        try withPeople { stack, person in
            person.setValue(NSNumber(value: 2), forKey: "mood")
            person.setValue(5, forKey: "length")
            person.setValue("Bo", forKey: "nickname")
            expectEqual(person.mood, .sad)
            expectEqual(person.length, 5)
            expectEqual(person.nickname, "Bo")
            person.setValue(nil, forKey: "nickname")
            expectEqual(person.nickname, nil)
        }
    }

    @Test("predicates and sort descriptors in memory use them")
    func filtering() throws {
        try withPeople { stack, person in
            let other = stack.context.make("Person", "Bo")
            let people = [person, other] as NSArray
            expectEqual(people.filtered(using: NSPredicate(format: "length < 3")).count, 1)
            let sorted = people.sortedArray(using: [NSSortDescriptor(key: "length", ascending: true)])
            #expect(sorted.first as? NSManagedObject === other)
        }
    }

    @Test("a fetched results controller groups by them")
    func sections() throws {
        try withPeople { stack, person in
            _ = stack.context.make("Person", "Bo")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "initial",
                cacheName: nil)
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.name), ["B", "a"])
        }
    }

    @Test("a save calls the validation method, which may replace the value or throw")
    func validation() throws {
        try withPeople { stack, person in
            try stack.context.save()
            #expect(person.value(forKey: "name") as? String == "Ada")
            person.setValue("nobody", forKey: "name")
            #expect(throws: NSError(domain: "Person", code: 1)) { try stack.context.save() }
            #expect(throws: NSError(domain: "Person", code: 1)) {
                var value: AnyObject? = "nobody" as NSString
                try person.validateValue(&value, forKey: "name")
            }
        }
    }

    @Test("a class describes itself by its name, or by the name that it was registered with")
    func description() {
        NSManagedObject.register(RegisteredPerson.self, as: "Person of the registry")
        expectEqual(RegisteredPerson.description(), "Person of the registry")
        expectEqual(RegisteredChild.description(), "CoreDataTests.RegisteredChild")
    }
}

private final class AccessorPerson: NSManagedObject {
    var displayName: String? {
        get { (primitiveValue(forKey: "displayName") as? String).map { $0 + "!" } ?? "made of \(name ?? "")" }
        set {
            willChangeValue(forKey: "displayName")
            setPrimitiveValue(newValue?.uppercased(), forKey: "displayName")
            didChangeValue(forKey: "displayName")
        }
    }
    var name: String? { primitiveValue(forKey: "name") as? String }
    var label: String { "\(value(forKey: "name") ?? "") \(value(forKey: "date") ?? "")" }

    static let register: Void = {
        NSManagedObject.register(
            "displayName", of: AccessorPerson.self, get: { $0.displayName }, set: { $0.displayName = $1 },
            isExposed: true)
        NSManagedObject.register(
            "label", of: AccessorPerson.self, get: { $0.label }, keyPath: { \AccessorPerson.label })
        NSManagedObject.register("name", of: AccessorPerson.self, get: { _ in "not asked" })
    }()
}

/// A class that declares the subscript that the package supplies.
private final class SubscriptPerson: NSManagedObject {
    subscript(_ key: String) -> Any? { "own \(key)" }
}

@Suite("Accessors under the name of a modelled property")
struct ModelledAccessorTests {
    private func withPeople(_ body: (TestStack, [AccessorPerson]) throws -> Void) throws {
        AccessorPerson.register
        let display = attribute("displayName", .stringAttributeType)
        display.isTransient = true
        let person = entity(
            "Person", [attribute("name", .stringAttributeType), attribute("date", .dateAttributeType), display])
        person.managedObjectClassName = "AccessorPerson"
        let model = NSManagedObjectModel()
        model.entities = [person]
        try withStack(.sqlite, model: model) { stack in
            let people = ["bob", "ada"].map { stack.context.make("Person", $0) as! AccessorPerson }
            try body(stack, people)
        }
    }

    @Test("key-value coding, predicates and sort keys ask the class before the model")
    func reading() throws {
        try withPeople { stack, people in
            #expect(people[0].value(forKey: "displayName") as? String == "made of bob")
            #expect(people[0].value(forKey: "name") as? String == "bob")
            expectTrue(NSPredicate(format: "displayName ENDSWITH 'ada'").evaluate(with: people[1]))
            let sorted = (people as NSArray).sortedArray(using: [NSSortDescriptor(key: "displayName", ascending: true)])
            #expect(sorted as? [AccessorPerson] == [people[1], people[0]])
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "displayName",
                cacheName: nil)
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.name), ["made of ada", "made of bob"])
        }
    }

    @Test("setValue(_:forKey:) calls the setter of the class, and finds date for Date")
    func writing() throws {
        try withPeople { _, people in
            people[0].setValue("x", forKey: "displayName")
            #expect(people[0].primitiveValue(forKey: "displayName") as? String == "X")
            people[0].setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "Date")
            #expect(people[0].value(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 5))
        }
    }

    @Test("Swift key paths to properties that aren't in the model have their keys")
    func keyPaths() throws {
        try withPeople { _, people in
            let descriptor = NSSortDescriptor(keyPath: \AccessorPerson.label, ascending: true)
            expectEqual(descriptor.key, "label")
            #expect(
                (people as NSArray).sortedArray(using: [descriptor]) as? [AccessorPerson] == [people[1], people[0]])
            expectEqual(NSExpression(forKeyPath: \AccessorPerson.label).keyPath, "label")
        }
    }

    @Test("a class may declare the subscript of the package")
    func subscripts() throws {
        let model = NSManagedObjectModel()
        model.entities = [entity("Person", [attribute("name", .stringAttributeType)])]
        try withStack(.memory, model: model) { stack in
            let person = SubscriptPerson(entity: model.entities[0], insertInto: stack.context)
            #expect(person["name"] as? String == "own name")
            (person as NSManagedObject)["name"] = "x"
            #expect(person.value(forKey: "name") as? String == "x")
        }
    }
}
