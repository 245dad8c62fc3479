import CoreData
import Testing

/// Validates by methods: its name is trimmed, its end is after its beginning.
class Meeting: NSManagedObject {
    /// The keys that were validated, in order.
    private(set) var validated: [String] = []

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        validated.append(key)
        if key == "name", let name = value.pointee as? String {
            value.pointee = name.trimmingCharacters(in: .whitespaces) as NSString
        }
        try super.validateValue(value, forKey: key)
        if key == "name", value.pointee as? String == "forbidden" { throw Self.error(100, "forbidden") }
    }

    override func validateForInsert() throws {
        try combine { try super.validateForInsert() }
    }

    override func validateForUpdate() throws {
        try combine { try super.validateForUpdate() }
    }

    override func validateForDelete() throws {
        try super.validateForDelete()
        if text("name") == "kept" { throw Self.error(300, "kept") }
    }

    /// As Core Data's documentation has it: what super says and what the object says itself become one error.
    private func combine(_ validate: () throws -> Void) throws {
        var errors: [NSError] = []
        do { try validate() } catch {
            let error = error as NSError
            if error.code == NSValidationMultipleErrorsError {
                errors += error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            } else {
                errors.append(error)
            }
        }
        if let begin = value(forKey: "begin") as? Date, let end = value(forKey: "end") as? Date, end < begin {
            errors.append(Self.error(200, "order"))
        }
        guard let first = errors.first else { return }
        guard errors.count > 1 else { throw first }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError, userInfo: [NSDetailedErrorsKey: errors])
    }

    private static func error(_ code: Int, _ text: String) -> NSError {
        NSError(domain: "Meeting", code: code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

@Suite("Validation by methods of the class")
struct ValidationMethodTests {
    private func run(_ kind: StoreKind, _ body: (TestStack, Meeting) throws -> Void) throws {
        let meeting = entity("Meeting")
        let guests = toMany("guests", meeting)
        guests.inverseRelationship = guests
        meeting.properties = [
            attribute("name", .stringAttributeType, optional: false),
            attribute("place", .stringAttributeType, optional: false),
            attribute("begin", .dateAttributeType), attribute("end", .dateAttributeType), guests,
        ]
        meeting.managedObjectClassName = NSStringFromClass(Meeting.self)
        try withStack(kind, model: model([meeting])) { stack in
            try body(stack, try requireValue(stack.context.make("Meeting", "m", ["place": "here"]) as? Meeting))
        }
    }

    private func details(_ error: NSError?) -> [Int] {
        (error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []).map(\.code)
    }

    @Test("an overridden validateValue is asked for every property", arguments: StoreKind.allCases)
    func everyProperty(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            try stack.context.save()
            expectTrue(Set(meeting.validated).isSuperset(of: ["name", "place", "begin", "end", "guests"]))
        }
    }

    @Test(
        "a required derived attribute is validated before the save computes it: it needs a default value",
        arguments: StoreKind.allCases)
    func requiredDerived(_ kind: StoreKind) throws {
        let meeting = entity("Meeting")
        let lower = NSDerivedAttributeDescription()
        lower.name = "lower"
        lower.attributeType = .stringAttributeType
        lower.isOptional = false
        lower.derivationExpression = NSExpression(format: "lowercase:(name)")
        meeting.properties = [
            attribute("name", .stringAttributeType), attribute("begin", .dateAttributeType),
            attribute("end", .dateAttributeType), lower,
        ]
        meeting.managedObjectClassName = NSStringFromClass(Meeting.self)
        try withStack(kind, model: model([meeting])) { stack in
            stack.context.make("Meeting", "Monday")
            expectEqual(thrownError { try stack.context.save() }?.code, NSValidationMissingMandatoryPropertyError)
        }
        let complete = model([meeting.copy() as! NSEntityDescription])
        (complete.entitiesByName["Meeting"]?.attributesByName["lower"])?.defaultValue = ""
        try withStack(kind, model: complete) { stack in
            let meeting = stack.context.make("Meeting", "Monday")
            try stack.context.save()
            expectEqual(meeting.text("lower"), "monday")
        }
    }

    @Test("a value that validateValue replaces is taken and saved", arguments: StoreKind.allCases)
    func replaced(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            meeting.setValue("  lunch ", forKey: "name")
            try stack.context.save()
            expectEqual(meeting.text("name"), "lunch")
            expectFalse(meeting.hasChanges)
            try inFreshContext(stack) { try expectEqual($0.names("Meeting"), ["lunch"]) }
        }
    }

    @Test("a value that is replaced is told, and the object is validated again", arguments: StoreKind.allCases)
    func replacedAgain(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            try stack.context.save()
            meeting.setValue(" forbidden", forKey: "name")
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.domain, "Meeting")
            expectEqual(error?.code, 100)
            expectTrue(meeting.isUpdated)
            meeting.setValue(" m", forKey: "name")
            let log = LifeCycleLog(stack.context)
            try stack.context.save()
            let told = log.take()
            stack.context.userInfo.removeAllObjects()
            expectEqual(told.filter { $0.hasPrefix("DidChange") }.count, 2)
            expectEqual(told.last?.hasPrefix("DidSave"), true)
        }
    }

    @Test("an error of one's own stops the save as it is", arguments: StoreKind.allCases)
    func own(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            meeting.setValue("forbidden", forKey: "name")
            let error = thrownError { try stack.context.save() }
            expectEqual(error?.domain, "Meeting")
            expectEqual(error?.code, 100)
            expectEqual(error?.localizedDescription, "forbidden")
        }
    }

    @Test("properties are compared with each other, when inserting and when updating", arguments: StoreKind.allCases)
    func betweenProperties(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            meeting.setValue(Date(timeIntervalSinceReferenceDate: 10), forKey: "begin")
            meeting.setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "end")
            expectEqual(thrownError { try stack.context.save() }?.code, 200)
            meeting.setValue(Date(timeIntervalSinceReferenceDate: 15), forKey: "end")
            try stack.context.save()
            meeting.setValue(Date(timeIntervalSinceReferenceDate: 20), forKey: "begin")
            expectEqual(thrownError { try stack.context.save() }?.code, 200)
        }
    }

    @Test("several errors of one object and of several come as one list without nesting", arguments: StoreKind.allCases)
    func combined(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            meeting.setValue(nil, forKey: "name")
            meeting.setValue(nil, forKey: "place")
            meeting.setValue(Date(timeIntervalSinceReferenceDate: 10), forKey: "begin")
            meeting.setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: "end")
            let one = thrownError { try stack.context.save() }
            expectEqual(one?.code, 1560)
            expectEqual(one?.domain, NSCocoaErrorDomain)
            expectEqual(details(one), [1570, 1570, 200])
            let other = stack.context.make("Meeting", "forbidden", ["place": "there"])
            let both = thrownError { try stack.context.save() }
            expectEqual(both?.code, 1560)
            expectEqual(details(both).sorted(), [100, 200, 1570, 1570])
            let affected = both?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]
            expectEqual(affected, [meeting])
            #expect(!other.objectID.uriRepresentation().path.isEmpty)
        }
    }

    @Test("deletion has its own method, and no other is asked", arguments: StoreKind.allCases)
    func deletion(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            meeting.setValue("kept", forKey: "name")
            try stack.context.save()
            // Invalid as it is, but that doesn't count any more.
            meeting.setValue(nil, forKey: "place")
            stack.context.delete(meeting)
            expectEqual(thrownError { try stack.context.save() }?.code, 300)
            meeting.setValue(nil, forKey: "name")
            try stack.context.save()
            try inFreshContext(stack) { try expectEmpty($0.all("Meeting")) }
        }
    }

    @Test("a value can be validated before it is set; the method may replace it", arguments: StoreKind.allCases)
    func beforehand(_ kind: StoreKind) throws {
        try run(kind) { stack, meeting in
            var name: AnyObject? = NSString(string: " x ")
            var missing: AnyObject?
            try meeting.validateValue(&name, forKey: "name")
            #expect(name as? String == "x")
            expectEqual(meeting.text("name"), "m")
            expectEqual(thrownError { try meeting.validateValue(&missing, forKey: "name") }?.code, 1570)
        }
    }

    @Test("a value of a wrong type is refused before it is set", arguments: StoreKind.allCases)
    func wrongTypes(_ kind: StoreKind) throws {
        let types: [(NSAttributeType, Int)] = [
            (.dateAttributeType, 1650), (.URIAttributeType, 1690), (.integer32AttributeType, 1550),
            (.binaryDataAttributeType, 1550), (.UUIDAttributeType, 1550),
        ]
        for (type, code) in types {
            try withStack(kind, model: model([entity("Item", [attribute("value", type)])])) { stack in
                let item = stack.context.make("Item")
                var text: AnyObject? = NSString(string: "text")
                var nothing: AnyObject?
                expectEqual(thrownError { try item.validateValue(&text, forKey: "value") }?.code, code)
                expectEqual(thrownError { try item.validateValue(&nothing, forKey: "value") }, nil)
            }
        }
        let good: [(NSAttributeType, AnyObject)] = [
            (.dateAttributeType, NSDate()), (.URIAttributeType, NSURL(string: "a:b")!), (.UUIDAttributeType, NSUUID()),
            (.binaryDataAttributeType, NSData()),
            (.stringAttributeType, NSMutableString(string: "x")), (.booleanAttributeType, NSNumber(value: true)),
            (.decimalAttributeType, NSDecimalNumber.one),
        ]
        for (type, value) in good {
            try withStack(kind, model: model([entity("Item", [attribute("value", type)])])) { stack in
                var value: AnyObject? = value
                expectEqual(
                    thrownError { try stack.context.make("Item").validateValue(&value, forKey: "value") }, nil,
                    "\(type)")
            }
        }
    }
}
