import CoreData
import CoreDataTestSupport
import TestSupport
import Testing

@Suite("Archives of other classes in binary stores")
struct BinaryArchiveTests {
    /// A model with a transformable attribute of a class; without a name, only plain values are allowed.
    private static func boxes(of className: String? = nil) -> NSManagedObjectModel {
        let thing = attribute("thing", .transformableAttributeType)
        if let className { thing.attributeValueClassName = className }
        return model([entity("Box", [attribute("name", .stringAttributeType), thing])])
    }

    /// Makes a file with an archived `OldMark`, and opens it with a model that doesn't name the class.
    private func withForeignFile(
        _ options: [AnyHashable: Any]?, _ body: (_ open: () throws -> NSManagedObjectContext) throws -> Void
    ) throws {
        try withStack(.binary, model: Self.boxes(of: "OldMark")) { stack in
            stack.context.make("Box", "b", ["thing": OldMark(7)])
            try stack.context.save()
            try body {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.boxes())
                _ = try coordinator.addPersistentStore(
                    ofType: NSBinaryStoreType, configurationName: nil, at: stack.url, options: options)
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                return context
            }
        }
    }

    @Test("a file with an object of a class that nobody has allowed isn't opened, and the error names the class")
    func refused() throws {
        try withForeignFile(nil) { open in
            let error = try requireValue(thrownError { _ = try open() })
            expectEqual(error.domain, NSCocoaErrorDomain)
            expectEqual(error.code, NSPersistentStoreOpenError)
            expectEqual(error.localizedFailureReason?.contains("OldMark"), true, "\(error)")
            expectEqual(error.localizedFailureReason?.contains("Box.thing"), true, "\(error)")
            expectEqual(error.localizedRecoverySuggestion?.contains(NSBinaryStoreSecureDecodingClasses), true)
        }
    }

    @Test(
        "classes of the option NSBinaryStoreSecureDecodingClasses are decoded, and can be saved",
        arguments: [true, false])
    func allowedClasses(_ isSet: Bool) throws {
        let classes: [AnyClass] = [OldMark.self]
        let option: Any = isSet ? NSSet(array: classes) : classes
        try withForeignFile([NSBinaryStoreSecureDecodingClasses: option]) { open in
            let context = try open()
            try on(context) {
                try expectEqual((context.one("Box", "b").value(forKey: "thing") as? OldMark)?.number, 7)
                context.make("Box", "c", ["thing": OldMark(8)])
                try context.save()
            }
            let other = try open()
            try on(other) { try expectEqual((other.one("Box", "c").value(forKey: "thing") as? OldMark)?.number, 8) }
        }
    }

    @Test("other classes than those of the option are refused")
    func otherClasses() throws {
        try withForeignFile([NSBinaryStoreSecureDecodingClasses: [Mark.self] as [AnyClass]]) { open in
            expectEqual(thrownError { _ = try open() }?.code, NSPersistentStoreOpenError)
        }
    }

    @Test("NSBinaryStoreInsecureDecodingCompatibilityOption allows every class")
    func insecure() throws {
        try withForeignFile([NSBinaryStoreInsecureDecodingCompatibilityOption: true]) { open in
            let context = try open()
            try on(context) { try expectEqual((context.one("Box", "b").value(forKey: "thing") as? OldMark)?.number, 7) }
        }
    }

    @Test("NSBinaryStoreInsecureDecodingCompatibilityOption with the value false allows no other class")
    func secure() throws {
        try withForeignFile([NSBinaryStoreInsecureDecodingCompatibilityOption: false]) { open in
            expectEqual(thrownError { _ = try open() }?.code, NSPersistentStoreOpenError)
        }
    }
}
