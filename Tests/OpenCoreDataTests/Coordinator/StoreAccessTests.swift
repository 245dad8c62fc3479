import Foundation
import Testing

@testable import OpenCoreData

/// The order in which threads get access to the stores of a coordinator.
@Suite struct StoreAccessTests {
    private let access = StoreAccess()
    /// The seconds after which a thread counts as hung. On a slow machine threads begin late.
    private static let patience = Double(TestRun.hangMinutes * 60)

    /// Waits until as many threads wait for access.
    ///
    /// - Returns: whether they do.
    private func areWaiting(saves: Int, exclusions: Int = 0) -> Bool {
        let end = DispatchTime.now() + Self.patience
        while access.waitingSaveCount != saves || access.waitingExclusionCount != exclusions {
            guard DispatchTime.now() < end else { return false }
            sched_yield()
        }
        return true
    }

    /// A thread that saves until it is told to end.
    private final class Save: Sendable {
        private let began = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        init(_ access: StoreAccess, isSideBySide: Bool, _ log: Log? = nil, _ name: String = "") {
            Thread.detachNewThread { [self] in
                access.save(isSideBySide: isSideBySide) {
                    log?.add(name)
                    began.signal()
                    end.wait()
                }
                ended.signal()
            }
        }

        /// Waits for the begin of the save.
        ///
        /// - Returns: whether it begins.
        func begins() -> Bool { began.wait(timeout: .now() + StoreAccessTests.patience) == .success }

        func finish() {
            end.signal()
            ended.wait()
        }
    }

    private final class Log: Sendable {
        private let names = Locked<[String]>([])

        func add(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    @Test("Saves side by side run at the same time")
    func savesSideBySide() {
        let first = Save(access, isSideBySide: true)
        expectTrue(first.begins())
        let second = Save(access, isSideBySide: true)
        expectTrue(second.begins())
        expectEqual(access.count, 2)
        second.finish()
        first.finish()
        expectEqual(access.count, 0)
    }

    @Test("A save that is alone waits for all saves side by side")
    func aSaveThatIsAlone() throws {
        let first = Save(access, isSideBySide: true)
        let second = Save(access, isSideBySide: true)
        #expect(first.begins() && second.begins())
        let alone = Save(access, isSideBySide: false)
        try requireValue(areWaiting(saves: 1))
        first.finish()
        expectEqual(access.waitingSaveCount, 1)
        expectEqual(access.count, 1)
        second.finish()
        expectTrue(alone.begins())
        alone.finish()
    }

    @Test("Saves side by side wait for a save that is alone, and then begin together")
    func savesSideBySideWait() throws {
        let alone = Save(access, isSideBySide: false)
        expectTrue(alone.begins())
        let first = Save(access, isSideBySide: true)
        let second = Save(access, isSideBySide: true)
        try requireValue(areWaiting(saves: 2))
        expectEqual(access.count, 1)
        alone.finish()
        #expect(first.begins() && second.begins())
        first.finish()
        second.finish()
    }

    @Test("A save doesn't overtake one that waits")
    func aSaveDoesntOvertake() throws {
        let log = Log()
        let first = Save(access, isSideBySide: true, log, "first")
        expectTrue(first.begins())
        let alone = Save(access, isSideBySide: false, log, "alone")
        try requireValue(areWaiting(saves: 1))
        let last = Save(access, isSideBySide: true, log, "last")
        try requireValue(areWaiting(saves: 2))
        expectEqual(access.count, 1)
        first.finish()
        expectTrue(alone.begins())
        expectEqual(access.waitingSaveCount, 1)
        alone.finish()
        expectTrue(last.begins())
        last.finish()
        expectEqual(log.all, ["first", "alone", "last"])
    }

    @Test("A thread with access may save while another one waits for exclusive access")
    func aThreadWithAccess() throws {
        let log = Log()
        let first = Save(access, isSideBySide: false, log, "first")
        expectTrue(first.begins())
        let isSharing = DispatchSemaphore(value: 0)
        let isExclusionWaiting = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        DispatchQueue(label: "sharing").async(group: group) { [access] in
            access.share {
                isSharing.signal()
                isExclusionWaiting.wait()
                access.save { log.add("saves with access") }
            }
        }
        isSharing.wait()
        DispatchQueue(label: "excluding").async(group: group) { [access] in
            access.exclude { log.add("excludes") }
        }
        try requireValue(areWaiting(saves: 0, exclusions: 1))
        let other = Save(access, isSideBySide: true, log, "saves later")
        try requireValue(areWaiting(saves: 1, exclusions: 1))
        isExclusionWaiting.signal()
        first.finish()
        group.wait()
        expectTrue(other.begins())
        other.finish()
        expectEqual(log.all.prefix(2), ["first", "saves with access"])
        expectEqual(Set(log.all.suffix(2)), ["excludes", "saves later"])
    }

    @Test("Of the threads that run blocks, those with access are counted, once each")
    func threadsThatRunBlocks() {
        access.share { expectEqual(access.blockCount, 0) }
        access.countingBlock {
            expectEqual(access.blockCount, 0)
            access.share { access.share { expectEqual(access.blockCount, 1) } }
            expectEqual(access.blockCount, 0)
            StoreAccess().share { expectEqual(access.blockCount, 0) }
        }
    }

    @Test("A save inside a save needs no further access")
    func aSaveInsideASave() {
        access.save(isSideBySide: true) {
            access.save(isSideBySide: true) { expectEqual(access.count, 2) }
            access.save { expectEqual(access.count, 2) }
        }
        access.exclude { access.save { expectTrue(access.isEnteredHere) } }
        expectEqual(access.count, 0)
    }
}
