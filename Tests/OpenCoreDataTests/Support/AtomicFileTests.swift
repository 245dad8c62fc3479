import CoreDataPredicates
import Dispatch
import Foundation
import Testing

import struct Synchronization.Atomic

@testable import CoreDataStores

@Suite("A file that is written as a whole")
struct AtomicFileTests {
    @Test("is that of another process if this one makes and opens it first")
    func madeByAnother() throws {
        let folder = try TemporaryFolder()
        let contents = Data(count: 4 << 20)
        let failures = Locked<[String]>([])
        for round in 0..<20 {
            let path = folder.url.appendingPathComponent("\(round)").path
            let isWritten = Atomic<Bool>(false)
            DispatchQueue.concurrentPerform(iterations: 2) { part in
                do {
                    if part == 0 {
                        defer { isWritten.store(true, ordering: .sequentiallyConsistent) }
                        let stamp = try AtomicFile.create(path, contents)
                        let isOwn = stamp != nil
                        if try isOwn != (AtomicFile.contents(path) == contents) {
                            failures.withLock { $0.append("the stamp of another file") }
                        }
                    } else {
                        while AtomicFile.unfinishedFiles(beside: path).isEmpty
                            && !isWritten.load(ordering: .sequentiallyConsistent)
                        {}
                        if OperatingSystem.fileKind(at: path) == .missing,
                            try AtomicFile.create(path, Data("another".utf8)) != nil
                        {
                            while !isWritten.load(ordering: .sequentiallyConsistent) {
                                AtomicFile.removeUnfinished(path)
                            }
                        }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            expectEqual(AtomicFile.unfinishedFiles(beside: path), [])
        }
        expectEqual(failures.withLock { $0 }, [])
    }
}
