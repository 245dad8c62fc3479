import Testing

@testable import CoreDataStores
@testable import OpenCoreData

@Suite("The row cache")
struct RowCacheTests {
    private let layouts = ModelLayout.of(AlbumModel.make())
    private let cache = RowCache()

    private var tag: EntityLayout { layouts.byName["Tag"]! }

    private func buffer(_ keys: [Int64], of entity: String = "Tag", version: Int32 = 1) -> RowBuffer {
        let layout = layouts.byName[entity]!
        let buffer = RowBuffer(layout: layout, includesSubentities: false, capacity: keys.count)
        for key in keys { _ = buffer.append(primaryKey: key, version: version, layout: layout) }
        return buffer
    }

    private func version(_ key: Int64) -> Int32? { cache.row(tag, key: key)?.row.version }

    /// - Parameter generation: the generation before the save; nil for a save without others beside it.
    private func save(_ buffers: [RowBuffer], in generation: Int? = nil) {
        cache.addSaved(buffers, replacing: true, savedIn: generation ?? cache.generation.current)
    }

    @Test("invariants hold while buffers are added, looked up, replaced, evicted and freed, at random")
    func random() {
        let seed = TestRun.seed(for: "row cache")
        var random = SeededGenerator(seed: seed)
        var alive: [RowBuffer] = []
        for step in 0..<2000 {
            let first = Int64.random(in: 1...40, using: &random)
            let keys = Array(first..<first + Int64.random(in: 1...6, using: &random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                let new = buffer(keys, of: ["Tag", "Track"].randomElement(using: &random)!)
                alive.append(new)
                cache.add([new])
            case 2:
                let saved = buffer(keys, version: Int32(step))
                alive.append(saved)
                save([saved])
            case 3: cache.evict(root: tag.root, keys: [first])
            case 4: _ = cache.row(tag, key: first)
            case 5 where !alive.isEmpty: alive.remove(at: Int.random(in: 0..<alive.count, using: &random))
            default: break
            }
            let violations = cache.checkInvariants()
            expectEmpty(violations, "seed \(seed), step \(step): \(violations)")
        }
        alive = []
        #expect((1...46).allSatisfy { version($0) == nil }, "seed \(seed)")
        expectEmpty(cache.checkInvariants(), "seed \(seed)")
    }

    @Test("a damaged entry is found")
    func violations() {
        let rows = buffer([1, 2])
        cache.add([rows])
        rows.cacheIndex = 7
        expectEqual(cache.checkInvariants(), ["The pending buffer 0 has the cacheIndex 7."])
        rows.cacheIndex = 0
        _ = version(1)
        rows[0].header.pointee.primaryKey = 3
        expectEqual(cache.checkInvariants(), ["The row 1 of hierarchy \(tag.root) has the key 3."])
        rows[0].header.pointee.primaryKey = 1
        expectEmpty(cache.checkInvariants())
    }

    @Test("no row is older than the store's, whenever reads end that began before saves, evictions and other reads")
    func reads() {
        struct Read {
            let buffer: RowBuffer
            let generation: Int
        }
        /// A committed change that the cache doesn't know yet: a save of this process, or one that evicts the row.
        struct Commit {
            let key: Int64
            let version: Int32
            let generation: Int
            let evicts: Bool
        }
        let seed = TestRun.seed(for: "row cache reads")
        var random = SeededGenerator(seed: seed)
        let keys = Int64(1)...12
        var versions = Dictionary(uniqueKeysWithValues: keys.map { ($0, Int32(1)) })
        var reads: [Read] = []
        var begun: [Int] = []
        var commits: [Commit] = []
        var alive: [RowBuffer] = []
        var kept = 0
        for step in 0..<9000 {
            let key = Int64.random(in: keys, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1, 2:
                reads.append(
                    Read(buffer: buffer([key], version: versions[key]!), generation: cache.generation.current))
            case 3...5 where !reads.isEmpty:
                let read = reads.remove(at: Int.random(in: 0..<reads.count, using: &random))
                alive.append(read.buffer)
                cache.add([read.buffer], readIn: read.generation)
            case 6 where !reads.isEmpty:
                let read = reads.remove(at: Int.random(in: 0..<reads.count, using: &random))
                alive.append(read.buffer)
                cache.add(RetainedRow(buffer: read.buffer, row: read.buffer[0]), readIn: read.generation)
            case 7, 8:
                versions[key]! += 1
                let saved = buffer([key], version: versions[key]!)
                alive.append(saved)
                save([saved])
            case 9:
                versions[key]! += 1
                cache.evict(root: tag.root, keys: [key])
            case 10 where step.isMultiple(of: 50):
                for key in keys { versions[key]! += 1 }
                cache.evictAll(root: tag.root)
            case 11 where !alive.isEmpty: alive.remove(at: Int.random(in: 0..<alive.count, using: &random))
            case 12: begun.append(cache.generation.current)
            case 13 where !begun.isEmpty:
                let generation = begun.remove(at: Int.random(in: 0..<begun.count, using: &random))
                versions[key]! += 1
                commits.append(
                    Commit(
                        key: key, version: versions[key]!, generation: generation,
                        evicts: Bool.random(using: &random)))
            case 14 where !commits.isEmpty:
                let commit = commits.remove(at: Int.random(in: 0..<commits.count, using: &random))
                if commit.evicts {
                    cache.evict(root: tag.root, keys: [commit.key])
                } else {
                    let saved = buffer([commit.key], version: commit.version)
                    alive.append(saved)
                    save([saved], in: commit.generation)
                }
            default: break
            }
            if !commits.contains(where: { $0.key == key }), let cached = version(key) {
                kept += 1
                expectEqual(cached, versions[key], "seed \(seed), step \(step)")
            }
            if reads.count > 20 { reads.removeFirst(10) }
        }
        #expect(kept > 0, "seed \(seed)")
    }

    @Test("a row that was read while others were saved is kept, if it was not among them")
    func concurrentReads() {
        let generation = cache.generation.current
        let (first, second) = (buffer([1]), buffer([2, 3]))
        let saved = buffer([3], version: 2)
        save([saved])
        cache.add([first, second], readIn: generation)
        expectEqual(version(1), 1)
        expectEqual(version(2), nil)
        expectEqual(version(3), 2)
        withExtendedLifetime([first, second, saved]) {}
    }

    @Test("a saved row that comes late isn't kept, though no object uses the newer one any more")
    func lateRow() {
        let oldest = buffer([1, 2])
        cache.add([oldest])
        let generation = cache.generation.current
        var newer: RowBuffer? = buffer([1, 2], version: 3)
        save([newer!])
        newer = nil
        let (late, newest) = (buffer([1], version: 2), buffer([2], version: 4))
        save([late, newest], in: generation)
        expectEqual(version(1), nil)
        expectEqual(version(2), 4)
        expectEmpty(cache.checkInvariants())
        withExtendedLifetime([oldest, late, newest]) {}
    }

    @Test("a late row is an older one, too, when the versions have wrapped around")
    func lateRowOfWrappedVersions() {
        let generation = cache.generation.current
        do { save([buffer([1], version: .min)]) }
        let late = buffer([1], version: .max)
        save([late], in: generation)
        expectEqual(version(1), nil)
        let next = buffer([1], version: Int32.min + 1)
        save([next])
        expectEqual(version(1), Int32.min + 1)
        withExtendedLifetime([late, next]) {}
    }

    @Test("a saved or new row that comes late isn't kept, if it was evicted since: it may have been deleted")
    func lateRowOfDeletion() {
        let old = buffer([1, 2])
        cache.add([old])
        let generation = cache.generation.current
        cache.evict(root: tag.root, keys: [1, 9])
        let (late, new) = (buffer([1, 2], version: 2), buffer([9]))
        save([late], in: generation)
        cache.addSaved([new], replacing: false, savedIn: generation)
        expectEqual(version(1), nil)
        expectEqual(version(2), 2)
        expectEqual(version(9), nil)
        // A fault of the object that saved the row looks for a newer one.
        expectTrue(late.mayHaveChanged(late[0]))
        expectFalse(late.mayHaveChanged(late[1]))
        withExtendedLifetime([old, late, new]) {}
    }

    @Test("all rows of a large save are kept, beside another save too")
    func largeSave() {
        let generation = cache.generation.current
        let other = buffer([5000], version: 2)
        save([other])
        let buffers = (Int64(0)..<4).map { buffer(Array($0 * 200 + 1...$0 * 200 + 200), version: 2) }
        save(buffers, in: generation)
        #expect((1...800).allSatisfy { version($0) == 2 })
        withExtendedLifetime((buffers, other)) {}
    }

    @Test("a saved row replaces an older one, and no newer one")
    func replacing() {
        let (old, new) = (buffer([1]), buffer([1], version: 3))
        cache.add([old])
        save([new])
        expectEqual(version(1), 3)
        let late = buffer([1], version: 2)
        save([late])
        expectEqual(version(1), 3)
        cache.evict(root: tag.root, keys: [1])
        expectEqual(version(1), nil)
        withExtendedLifetime([old, new, late]) {}
    }

    @Test("an older row doesn't come back when a saved one is freed, whether it was looked up before or not")
    func olderRows() {
        let (first, second) = (buffer([1, 2]), buffer([3, 4]))
        cache.add([first])
        _ = version(1)
        cache.add([second])
        for key in Int64(1)...4 { save([buffer([key], version: 2)]) }
        #expect((1...4).allSatisfy { version($0) == nil })
        // Rows that are read later are the newest.
        let third = buffer([1, 3], version: 2)
        cache.add([third])
        expectEqual(version(1), 2)
        expectEqual(version(3), 2)
        withExtendedLifetime([first, second, third]) {}
    }

    @Test("a replaced or evicted row makes all rows of earlier generations suspect, a fetched one doesn't")
    func generations() {
        let first = buffer([1])
        cache.add([first])
        let second = buffer([2])
        cache.add([second])
        expectFalse(first.mayBeSuperseded)
        cache.evict(root: tag.root, keys: [9])
        expectTrue(first.mayBeSuperseded)
        expectTrue(second.mayBeSuperseded)
        let third = buffer([3], version: 2)
        save([third])
        expectFalse(third.mayBeSuperseded)
    }

    @Test("a row is cached for as long as an object uses its buffer")
    func lifetime() {
        var rows: RowBuffer? = buffer([1, 2])
        cache.add([rows!])
        withExtendedLifetime(rows) { expectEqual(version(2), 1) }
        rows = nil
        expectEqual(version(2), nil)
    }
}
