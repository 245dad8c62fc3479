import CoreData
import Testing

private final class Listener: NSObject {
    private(set) var heard: [String] = []

    func listen(_ notification: Notification) { heard.append(notification.name.rawValue) }
    func listen(to notification: NSNotification) { heard.append("object \(notification.name.rawValue)") }
    func listen() { heard.append("call") }

    static let withNotification = Selector(
        "listen:", { (target: Listener, argument: Notification) in target.listen(argument) })
    static let withObject = Selector(
        "listenTo:", { (target: Listener, argument: NSNotification) in target.listen(to: argument) })
    static let alone = Selector("listen", { (target: Listener) in target.listen() })
}

@Suite("Selectors that call methods")
struct SelectorMethodTests {
    private let name = Notification.Name("\(UUID())")
    private let center = NotificationCenter()

    @Test("the notification centre calls the method with the notification, or without arguments")
    func calls() {
        let listener = Listener()
        center.addObserver(listener, selector: Listener.withNotification, name: name, object: nil)
        center.addObserver(listener, selector: Listener.withObject, name: name, object: nil)
        center.addObserver(listener, selector: Listener.alone, name: name, object: nil)
        center.post(name: name, object: nil)
        expectEqual(listener.heard.sorted(), [name.rawValue, "call", "object \(name.rawValue)"].sorted())
    }

    @Test("only notifications of the name and the sender arrive")
    func filters() {
        let listener = Listener()
        let sender = NSObject()
        center.addObserver(listener, selector: Listener.alone, name: name, object: sender)
        center.post(name: name, object: NSObject())
        center.post(name: Notification.Name("other"), object: sender)
        expectEmpty(listener.heard)
        center.post(name: name, object: sender)
        expectEqual(listener.heard, ["call"])
    }

    @Test("a removed observer is not called again")
    func removing() {
        let listener = Listener()
        let sender = NSObject()
        center.addObserver(listener, selector: Listener.alone, name: name, object: sender)
        center.addObserver(listener, selector: Listener.alone, name: Notification.Name("other"), object: nil)
        center.removeObserver(listener, name: name, object: sender)
        center.post(name: name, object: sender)
        expectEmpty(listener.heard)
        center.post(name: Notification.Name("other"), object: nil)
        expectEqual(listener.heard, ["call"])
        center.removeObserver(listener)
        center.post(name: Notification.Name("other"), object: nil)
        expectEqual(listener.heard, ["call"])
    }

    @Test("removing an observer from one centre leaves those of another")
    func twoCentres() {
        let listener = Listener()
        let other = NotificationCenter()
        center.addObserver(listener, selector: Listener.alone, name: name, object: nil)
        other.addObserver(listener, selector: Listener.alone, name: name, object: nil)
        other.removeObserver(listener)
        other.post(name: name, object: nil)
        expectEmpty(listener.heard)
        center.post(name: name, object: nil)
        expectEqual(listener.heard, ["call"])
    }

    @Test("the centre does not retain the observer")
    func lifetime() {
        var listener: Listener? = Listener()
        let isFreed = { [weak listener] in listener == nil }
        center.addObserver(listener!, selector: Listener.alone, name: name, object: nil)
        listener = nil
        expectTrue(isFreed())
        center.post(name: name, object: nil)
    }

    @Test("tokens of observers with blocks are removed as before")
    func tokens() {
        let count = Locked(0)
        let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in count.withLock { $0 += 1 } }
        center.post(name: name, object: nil)
        center.removeObserver(token)
        center.post(name: name, object: nil)
        expectEqual(count.withLock { $0 }, 1)
    }

    @Test("the undo manager calls the method with its argument")
    func undo() {
        let listener = Listener()
        let manager = UndoManager()
        let selector = Selector("note:", { (target: Listener, _: NSString) in target.listen() })
        manager.registerUndo(withTarget: listener, selector: selector, object: "a" as NSString)
        manager.undo()
        expectEqual(listener.heard, ["call"])
    }

    @Test("selectors of the same name are equal")
    func equality() {
        expectEqual(Listener.alone, Selector("listen"))
        expectEqual(Set([Listener.alone, Selector("listen")]).count, 1)
    }

    @Test("a request of another type is a copy with the same options; one of the same type is itself")
    func castRequests() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
        request.fetchLimit = 3
        request.predicate = NSPredicate(value: true)
        let cast = try #require(NSFetchRequest<NSFetchRequestResult>.cast(request))
        expectEqual(cast.entityName, "Song")
        expectEqual(cast.fetchLimit, 3)
        expectEqual(cast.predicate, NSPredicate(value: true))
        #expect(NSFetchRequest<NSManagedObject>.cast(request) === request)
        expectEqual(NSFetchRequest<NSManagedObject>.cast("text"), nil)
    }

    @Test("an object made without arguments has the entity of its class and no context", arguments: [StoreKind.memory])
    func withoutArguments(_ kind: StoreKind) throws {
        let person = entity("Person", [attribute("name", .stringAttributeType)])
        person.managedObjectClassName = "ArgumentlessPerson"
        let model = NSManagedObjectModel()
        model.entities = [person]
        try withStack(kind, model: model) { _ in
            let made = ArgumentlessPerson()
            expectEqual(made.entity.name, "Person")
            expectEqual(made.managedObjectContext, nil)
        }
    }
}

final class ArgumentlessPerson: NSManagedObject {}
