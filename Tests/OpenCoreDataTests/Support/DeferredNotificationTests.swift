import CoreDataPredicates
import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("Notifications whose contents are made for their observers")
struct DeferredNotificationTests {
    private final class Subject {}

    private final class Received<Value: Sendable>: Sendable {
        private let value: Locked<Value>

        init(_ value: Value) { self.value = Locked(value) }

        var current: Value { value.withLock { $0 } }
        func change(_ body: @Sendable (inout Value) -> Void) { value.withLock { body(&$0) } }
    }

    private let center = NotificationCenter()
    private let name = Notification.Name("A change")
    private let subject = Subject()

    /// Posts a notification.
    ///
    /// - Returns: how often its contents were made.
    private func post() -> Int {
        var count = 0
        DeferredNotification.post(name, object: subject, on: center) {
            count += 1
            return ["numbers": Set([1, 2])]
        }
        return count
    }

    @Test("without an observer the contents are not made")
    func unobserved() {
        let other = Subject()
        let tokens = [
            center.addObserver(forName: Notification.Name("Another change"), object: nil, queue: nil) { _ in },
            center.addObserver(forName: name, object: other, queue: nil) { _ in },
        ]
        expectEqual(post(), 0)
        for token in tokens { center.removeObserver(token) }
        let removed = center.addObserver(forName: name, object: nil, queue: nil) { _ in }
        center.removeObserver(removed)
        expectEqual(post(), 0)
    }

    @Test("all observers get the same contents, which are made once")
    func observed() {
        let received = Received<[Set<Int>?]>([])
        func observe(_ name: Notification.Name?, _ object: AnyObject?) -> any NSObjectProtocol {
            center.addObserver(forName: name, object: object, queue: nil) { notification in
                let numbers = notification.userInfo?["numbers"] as? Set<Int>
                received.change { $0.append(numbers) }
            }
        }
        let tokens = [observe(name, nil), observe(name, subject), observe(nil, subject), observe(nil, nil)]
        expectEqual(post(), 1)
        expectEqual(received.current, [[1, 2], [1, 2], [1, 2], [1, 2]])
        for token in tokens { center.removeObserver(token) }
    }

    @Test("an observer on an operation queue gets the contents, made before the post returns")
    func operationQueue() {
        let queue = OperationQueue()
        let received = Received<Set<Int>?>(nil)
        let token = center.addObserver(forName: name, object: subject, queue: queue) { notification in
            let numbers = notification.userInfo?["numbers"] as? Set<Int>
            received.change { $0 = numbers }
        }
        expectEqual(post(), 1)
        queue.waitUntilAllOperationsAreFinished()
        expectEqual(received.current, [1, 2])
        center.removeObserver(token)
    }

    @Test("the notification has the name and the object")
    func properties() {
        let isRight = Received(false)
        let (name, subject) = (name, ObjectIdentifier(subject))
        let token = center.addObserver(forName: nil, object: nil, queue: nil) { notification in
            let object = (notification.object as AnyObject?).map(ObjectIdentifier.init)
            let isEqual = notification.name == name && object == subject
            isRight.change { $0 = isEqual }
        }
        _ = post()
        expectTrue(isRight.current)
        center.removeObserver(token)
    }

    @Test("an observer may wait for a post of another thread", arguments: [false, true])
    func observersThatWait(hasName: Bool) {
        let other = Notification.Name("Another change")
        let (center, subject) = (center, UncheckedSendableBox(subject))
        let received = Received(0)
        let inner = center.addObserver(forName: other, object: nil, queue: nil) { _ in received.change { $0 += 1 } }
        let token = center.addObserver(forName: hasName ? name : nil, object: subject.value, queue: nil) { posted in
            guard posted.name != other else { return }
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                DeferredNotification.post(other, object: subject.value, on: center) { nil }
                isDone.signal()
            }
            isDone.wait()
        }
        expectEqual(post(), 1)
        expectEqual(received.current, 1)
        for token in [inner, token] { center.removeObserver(token) }
    }

    @Test("a notification without contents has none")
    func withoutContents() {
        let isEmpty = Received(false)
        let token = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            let hasNone = notification.userInfo == nil
            isEmpty.change { $0 = hasNone }
        }
        DeferredNotification.post(name, object: subject, on: center) { nil }
        expectTrue(isEmpty.current)
        center.removeObserver(token)
    }

    @Test("posts of many threads reach an observer")
    func manyThreads() {
        let received = Received(0)
        let (center, name, subject) = (center, name, UncheckedSendableBox(subject))
        let token = center.addObserver(forName: name, object: nil, queue: nil) { _ in received.change { $0 += 1 } }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 { DeferredNotification.post(name, object: subject.value, on: center) { nil } }
        }
        expectEqual(received.current, 4000)
        center.removeObserver(token)
    }
}
