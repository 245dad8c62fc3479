import CoreData

/// A context with a saved author and book, whose changes are observed.
struct ObservedLibrary {
    let stack: TestStack
    let book: UnsafeSender<NSManagedObject>
    let author: UnsafeSender<NSManagedObject>
    var context: NSManagedObjectContext { stack.context }

    init(_ kind: StoreKind = .sqlite) throws {
        let stack = try TestStack(kind)
        self.stack = stack
        (book, author) = try stack.context.performAndWait {
            let author = stack.context.make("Author", "Jane")
            let book = stack.context.make("Book", "Emma", ["author": author])
            try stack.context.save()
            return (UnsafeSender(book), UnsafeSender(author))
        }
    }

    /// Runs a block on the context's queue; its changes are one event.
    func event(_ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
        try on(context) {
            try body(context, book.value)
            context.processPendingChanges()
        }
    }

    func changes() -> AsyncStream<ManagedObjectChange> { context.performAndWait { book.value.changeStream() } }
}

extension AsyncStream where Element: Sendable {
    /// The remaining elements of a stream that has ended or will end.
    var remaining: [Element] {
        get async {
            var elements: [Element] = []
            for await element in self { elements.append(element) }
            return elements
        }
    }
}
