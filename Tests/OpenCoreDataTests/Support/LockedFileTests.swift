import CoreDataPredicates
import Dispatch
import Foundation
import Testing

import struct Synchronization.Atomic

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("A file that is a lock")
struct LockedFileTests {
    @Test("has one user at a time, though each removes it")
    func oneUser() throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("store")
        let isUsed = Atomic<Bool>(false)
        let failures = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<200 {
                do {
                    try MigrationLock.withLock(at: store, timeout: 60) {
                        if isUsed.exchange(true, ordering: .sequentiallyConsistent) {
                            failures.withLock { $0.append("two users") }
                        }
                        isUsed.store(false, ordering: .sequentiallyConsistent)
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        expectEqual(failures.withLock { $0 }, [])
        try expectEmpty(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    }
}
