import TestExpectations
import TestSupport
import Testing

@testable import sync_simulator

@Suite("A history of replicas and a server")
struct SimulatedHistoryTests {
    @Test("ends with equal stores, as the rules say", arguments: 0..<4)
    func random(part: UInt64) {
        let seed = TestRun.seed(for: "simulated histories") &+ part &* 1000
        for number in 0..<UInt64(TestRun.quick(3, long: 50)) {
            let history = RandomHistory(seed: seed &+ number, steps: 120)
            let finding = history.finding(history.steps)
            #expect(finding == nil, "seed \(seed &+ number)")
        }
    }

    /// Seeds that found a mistake while the engine was made, and the mistake.
    private static let found: [(seed: UInt64, mistake: String)] = [
        (1, "a page had the properties that changed after the page before, not after the replica's position"),
        (100, "the simulation compared a replica that hadn't looked at the app's newest save"),
        (101, "the simulation took the merged order of a list for a lost change"),
    ]

    @Test("passes that once found a mistake", arguments: found)
    func formerFinding(seed: UInt64, mistake: String) {
        let history = RandomHistory(seed: seed, steps: 140)
        #expect(history.finding(history.steps) == nil, "\(mistake)")
    }

    @Test(
        "on files passes that once found a mistake",
        arguments: [
            (1_796_000_137, "an app's store alone was set back to the moment before its newest import"),
            (1_810_001_115, "the server asked for ever for an object that the store hadn't any more"),
        ] as [(UInt64, String)])
    func formerFindingOnFiles(seed: UInt64, mistake: String) {
        let history = RandomHistory(seed: seed, steps: 140, stores: .sqlite)
        #expect(history.finding(history.steps) == nil, "\(mistake)")
    }

    @Test("with scopes gives no account more than it may have, and each device all of that", arguments: 0..<2)
    func scopes(part: UInt64) {
        let seed = TestRun.seed(for: "simulated scopes") &+ part &* 1000
        for number in 0..<UInt64(TestRun.quick(2, long: 30)) {
            let finding = FeatureHistory<ScopeStep>(seed: seed &+ number, steps: 120).finding
            #expect(finding == nil, "seed \(seed &+ number)")
        }
    }

    @Test(
        "with scopes passes that once found a mistake",
        arguments: [
            (1, "pages of all objects were of several moments, and the scopes changed between them"),
            (78, "a group inserted an object, and deleted what had it in the scope"),
        ] as [(UInt64, String)])
    func formerFindingOfScopes(seed: UInt64, mistake: String) {
        #expect(FeatureHistory<ScopeStep>(seed: seed, steps: 140).finding == nil, "\(mistake)")
    }

    @Test("with scopes finds each inverted rule", arguments: Inversion.ofScopes.map(\.name).sampled(2))
    func invertedScopes(name: String) {
        let inversion = Inversion.ofScopes.first { $0.name == name }
        #expect(FeatureHistory<ScopeStep>(seed: 1, steps: 140, inversion).finding != nil)
    }

    @Test("of one writer has no change refused")
    func oneWriter() {
        let seed = TestRun.seed(for: "simulated writer")
        for number in 0..<UInt64(TestRun.quick(3, long: 30)) {
            let history = RandomHistory(seed: seed &+ number, steps: 140, feature: .alone)
            #expect(history.finding == nil, "seed \(seed &+ number)")
        }
    }

    @Test(
        "of one writer passes that once found a mistake",
        arguments: [
            (1_796_056_961, "an object whose deletion was undone had a newer base than the change on its way before it")
        ] as [(UInt64, String)])
    func formerFindingOfOneWriter(seed: UInt64, mistake: String) {
        let history = RandomHistory(seed: seed, steps: 140, feature: .alone)
        #expect(history.finding == nil, "\(mistake)")
    }

    @Test("with large values brings each to all devices, and loses none", arguments: 0..<2)
    func blobs(part: UInt64) {
        let seed = TestRun.seed(for: "simulated blobs") &+ part &* 1000
        for number in 0..<UInt64(TestRun.quick(2, long: 30)) {
            let history = RandomHistory(seed: seed &+ number, steps: 120, feature: .blobs)
            #expect(history.finding == nil, "seed \(seed &+ number)")
        }
    }

    @Test(
        "with large values passes that once found a mistake",
        arguments: [
            (1, "an import forgot the parts of values that objects waited for"),
            (2, "a placeholder counted as a change of the program, and hid the server's value"),
            (39, "a value that was there as a whole was asked for"),
            (20_113, "an object on its way became one that had its unique value, and got another one before it came"),
        ] as [(UInt64, String)])
    func formerFindingOfBlobs(seed: UInt64, mistake: String) {
        #expect(RandomHistory(seed: seed, steps: 140, feature: .blobs).finding == nil, "\(mistake)")
    }

    @Test(
        "with several versions passes that once found a mistake",
        arguments: [
            (9, "a group went without a new object that a later save had changed"),
            (5, "a push that was frozen before the app's update had a property that the server had no more"),
            (5266, "an answer had the values of the app's former version"),
            (1_796_085_833, "an object with the UUID of another version's hierarchy made a store a copied one"),
        ] as [(UInt64, String)])
    func formerFindingOfVersions(seed: UInt64, mistake: String) {
        #expect(FeatureHistory<VersionStep>(seed: seed, steps: 140).finding == nil, "\(mistake)")
    }

    @Test("with several versions of the model loses nothing, and each device has what its version knows")
    func versions() {
        let seed = TestRun.seed(for: "simulated versions")
        for number in 0..<UInt64(TestRun.quick(2, long: 30)) {
            let finding = FeatureHistory<VersionStep>(seed: seed &+ number, steps: 120).finding
            #expect(finding == nil, "seed \(seed &+ number)")
        }
    }

    @Test(
        "with several versions finds each inverted rule",
        arguments: ([("rename", 1), ("default", 1), ("roots", 5), ("keepsModel", 45)] as [(String, UInt64)]).sampled(2))
    func invertedVersions(name: String, seed: UInt64) {
        let inversion = Inversion.ofVersions.first { $0.name == name }
        #expect(FeatureHistory<VersionStep>(seed: seed, steps: 140, inversion).finding != nil)
    }
}
