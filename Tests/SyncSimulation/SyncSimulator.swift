import ArgumentParser
import CoreDataSync
import CoreDataSyncServer
import Foundation
import TestSupport

/// Runs replicas and a server through random histories with faults, and compares them with the rules of sync.
@main
struct SyncSimulator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-simulator", abstract: "Runs replicas and a server through random histories with faults.",
        subcommands: [SimulatedHistories.self, SyncFigures.self, LivingDevice.self],
        defaultSubcommand: SimulatedHistories.self)
}

struct SimulatedHistories: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "histories", abstract: "Runs random histories. This is the default.")

    @Option(help: "The number of histories.")
    var histories = 1000

    @Option(help: "The seed of the first history. The next ones have the next numbers.")
    var seed: UInt64 = 1

    @Option(help: "The number of steps of a history.")
    var steps = 140

    @Option(
        help: "The kinds of stores: memory, sqlite, postgresql. One history after the other has the next kind.",
        transform: { try Self.list($0, of: "kind of stores") })
    var stores = [SimulatedStoreKind.memory]

    @Option(
        help: """
            The parts of sync that the histories are about: whole (whole stores), alone (one writer), blobs (large \
            values), scopes, versions. One history after the other is about the next part.
            """,
        transform: { try Self.list($0, of: "part") })
    var features = SimulatedFeature.allCases

    @Flag(help: "List the rules and the steps of the protocol that can be inverted.")
    var rules = false

    @Option(help: "Invert a rule or a step: the histories must find it.")
    var invert: String?

    @Option(help: "The seconds for which a history that fails is shrunk.")
    var shrinking = 60.0

    @Flag(help: "Print what happens in the first history, step by step.")
    var log = false

    @Flag(help: "Print the first history, or one with a finding, in the form of Jepsen's histories (EDN).")
    var jepsen = false

    /// The values whose names a text has, separated by commas.
    private static func list<Value: RawRepresentable<String>>(_ text: String, of what: String) throws -> [Value] {
        try text.split(separator: ",").map { name in
            guard let value = Value(rawValue: String(name)) else {
                throw ValidationError("There is no \(what) “\(name)”.")
            }
            return value
        }
    }

    mutating func run() throws {
        if rules {
            for inversion in Inversion.every {
                Swift.print("\(inversion.name)\t\(inversion.text)")
            }
            return
        }
        let inversion = try invert.map { name in
            guard let inversion = Inversion.every.first(where: { $0.name == name }) else {
                throw ValidationError("There is no rule “\(name)”. List them by --rules.")
            }
            return inversion
        }
        let features = inversion.map { [$0.feature] } ?? features
        guard let first = features.first else { throw ValidationError("There is no part.") }
        if log || jepsen && histories == 1 {
            guard [.whole, .alone, .blobs].contains(first) else {
                throw ValidationError("Only whole stores have a log: --features whole, alone or blobs.")
            }
            let history = RandomHistory(seed: seed, steps: steps, stores: stores[0], inversion, feature: first)
            if jepsen {
                for line in JepsenHistory(history.steps).lines { Swift.print(line) }
            } else {
                for line in history.log() { Swift.print(line) }
            }
            return
        }
        let next = LockedValue(0)
        let found = LockedValue<(number: Int, text: String)?>(nil)
        let (count, seed, steps, stores) = (histories, seed, steps, stores)
        @Sendable func history(_ number: Int) -> any SimulatedHistory {
            let (seed, kind) = (seed &+ UInt64(number), stores[number % stores.count])
            let feature = features[number / stores.count % features.count]
            switch feature {
            case .whole, .alone, .blobs:
                return RandomHistory(seed: seed, steps: steps, stores: kind, inversion, feature: feature)
            case .scopes: return FeatureHistory<ScopeStep>(seed: seed, steps: steps, stores: kind, inversion)
            case .versions: return FeatureHistory<VersionStep>(seed: seed, steps: steps, stores: kind, inversion)
            }
        }
        let watch = HistoryWatch(seed: seed)
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            while true {
                let number = next.withLock { number in
                    defer { number += 1 }
                    return number
                }
                guard number < count, number < found.withLock({ $0?.number ?? count }) else { return }
                guard let text = watch.run(number, { history(number).finding }) else { continue }
                found.withLock { if number < $0?.number ?? count { $0 = (number, text) } }
            }
        }
        guard let (number, text) = found.withLock({ $0 }) else {
            Swift.print("\(histories) histories, 0 findings")
            return
        }
        Swift.print("Seed \(seed &+ UInt64(number)), history \(number + 1): \(text)")
        guard shrinking > 0 else { throw ExitCode(1) }
        let (shrunk, last) = history(number).shrunkLines(seconds: shrinking, inJepsensForm: jepsen)
        Swift.print("Shrunk to \(shrunk.count) steps: \(last ?? text)")
        for line in shrunk { Swift.print(line) }
        throw ExitCode(1)
    }
}

/// Says which histories run for longer than a minute: one without an end is a finding, too.
private final class HistoryWatch: @unchecked Sendable {
    // Sendable: the timer stays as it is.
    private let begins = LockedValue<[Int: Date]>([:])
    private let timer: any DispatchSourceTimer

    init(seed: UInt64) {
        let (begins, seconds) = (begins, 60)
        timer = DispatchSource.makeTimerSource()
        timer.setEventHandler {
            for (number, begin) in begins.withLock({ $0 }) where begin.timeIntervalSinceNow < -Double(seconds) {
                let text = "Seed \(seed &+ UInt64(number)), history \(number + 1), has run since \(begin).\n"
                FileHandle.standardError.write(Data(text.utf8))
            }
        }
        timer.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        timer.resume()
    }

    deinit { timer.cancel() }

    func run<Result>(_ number: Int, _ body: () -> Result) -> Result {
        begins.withLock { $0[number] = Date() }
        defer { begins.withLock { $0[number] = nil } }
        return body()
    }
}

/// A part of sync that has histories of its own.
enum SimulatedFeature: String, Sendable, CaseIterable {
    case whole, alone, blobs, scopes, versions
}

/// A random history, with what it finds.
protocol SimulatedHistory {
    /// The finding of the history; nil if there is none.
    var finding: String? { get }
    /// The fewest steps with a finding, a line each, and that finding.
    func shrunkLines(seconds: Double, inJepsensForm: Bool) -> (lines: [String], text: String?)
}

extension RandomHistory: SimulatedHistory {
    var finding: String? { finding(steps) }

    func shrunkLines(seconds: Double, inJepsensForm: Bool) -> (lines: [String], text: String?) {
        let (steps, text) = shrunk(seconds: seconds)
        return (inJepsensForm ? JepsenHistory(steps).lines : steps.map { "  \($0)" }, text)
    }
}

/// A random history of a feature, by its seed.
struct FeatureHistory<Step: Hashable>: SimulatedHistory {
    let steps: [Step]
    fileprivate let run: ([Step]) throws -> Void

    fileprivate init(
        seed: UInt64, stores: SimulatedStoreKind, _ inversion: Inversion?,
        _ make: (Int, inout SeededGenerator) -> [Step], run: @escaping (Simulation.Setup, [Step]) throws -> Void
    ) {
        var random = SeededGenerator(seed: seed)
        var setup = Simulation.Setup(seed: seed)
        setup.stores = stores
        setup.replicas = Int.random(in: 2...5, using: &random)
        inversion?.apply(&setup)
        steps = make(setup.replicas, &random)
        self.run = { [setup] in try run(setup, $0) }
    }

    var finding: String? { finding(steps) }

    private func finding(_ steps: [Step]) -> String? {
        do {
            try run(steps)
            return nil
        } catch {
            return "\(error)"
        }
    }

    func shrunkLines(seconds: Double, inJepsensForm: Bool) -> (lines: [String], text: String?) {
        let shrinking = Shrinking<Step>(deadline: Date() + seconds) { finding($0) }
        let (steps, text) = shrinking.shrink(steps)
        return (steps.map { "  \($0)" }, text)
    }
}

extension FeatureHistory<ScopeStep> {
    init(seed: UInt64, steps count: Int, stores: SimulatedStoreKind = .memory, _ inversion: Inversion? = nil) {
        self.init(
            seed: seed, stores: stores, inversion,
            { ScopeStep.history(replicas: $0, count: count, &$1) }, run: { try ScopeSimulation($0).run($1) })
    }
}

extension FeatureHistory<VersionStep> {
    init(seed: UInt64, steps count: Int, stores: SimulatedStoreKind = .memory, _ inversion: Inversion? = nil) {
        self.init(
            seed: seed, stores: stores, inversion,
            { VersionStep.history(replicas: $0, count: count, &$1) }, run: { try VersionSimulation($0).run($1) })
    }
}

/// A random history by its seed.
struct RandomHistory {
    let seed: UInt64
    let steps: [Step]
    private let setup: Simulation.Setup

    /// - Parameter feature: whole stores, one writer alone, or large values.
    init(
        seed: UInt64, steps count: Int, stores: SimulatedStoreKind = .memory, _ inversion: Inversion? = nil,
        feature: SimulatedFeature = .whole
    ) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        var setup = Simulation.Setup(seed: seed)
        setup.stores = stores
        setup.isAlone = feature == .alone
        setup.hasBlobs = feature == .blobs
        setup.replicas = setup.isAlone ? 1 : Int.random(in: 2...4, using: &random)
        inversion?.apply(&setup)
        self.setup = setup
        let steps = Step.history(replicas: setup.replicas, count: count, &random)
        self.steps =
            switch feature {
            case .alone: steps.filter(\.isOfOneWriter)
            case .blobs: steps.map { $0.withBlobs(&random) }
            case .whole, .scopes, .versions: steps
            }
    }

    /// The finding of steps; nil if there is none.
    func finding(_ steps: [Step]) -> String? {
        do {
            try Simulation(setup).run(steps)
            return nil
        } catch let finding as Finding {
            return finding.description
        } catch {
            return "\(error)"
        }
    }

    /// The events of the history, and its finding at the end.
    func log() -> [String] {
        do {
            let simulation = try Simulation(setup, isLogged: true)
            do {
                try simulation.run(steps)
                return simulation.log
            } catch {
                return simulation.log + ["\(error)"]
            }
        } catch {
            return ["\(error)"]
        }
    }

    /// The fewest steps with a finding.
    func shrunk(seconds: Double) -> ([Step], String?) {
        let shrinking = Shrinking<Step>(deadline: Date() + seconds) { finding($0) }
        let (steps, text) = shrinking.shrink(steps)
        return (steps, text)
    }
}

/// A mistake in a rule of the reference or in a step of the protocol.
struct Inversion: Sendable {
    let name: String
    let text: String
    /// The part of sync whose histories find it.
    var feature = SimulatedFeature.whole
    let apply: @Sendable (inout Simulation.Setup) -> Void

    /// Those of all parts.
    static let every = all + ofOneWriter + ofBlobs + ofScopes + ofVersions

    static let all: [Inversion] =
        Reference.Rule.allCases.map { rule in
            Inversion(name: "\(rule)", text: rule.rawValue) { $0.rule = rule }
        } + [
            replica("thawsPushes", "a push without answer is made anew", .thawsPushes),
            replica("basesOfPush", "the base of a change is the position at its push", .basesOfPush),
            replica("takesOldPages", "pages count that were asked for before an answer", .takesOldPages),
            replica("marksBeforeSave", "the position is marked before the import is saved", .marksBeforeSave),
            replica("importsWithoutDrain", "an import doesn't look for saves", .importsWithoutDrain),
            replica("drainsImports", "imports count as changes of the program", .drainsImports),
            replica("keepsOldAnswers", "an answer older than the position counts", .keepsOldAnswers),
            replica("splitsGroups", "each save is a group", .splitsGroups),
            replica("appliesHalves", "pages are applied as they come", .appliesHalves),
            replica("appliesDeleteRules", "delete rules run at imports", .appliesDeleteRules),
            replica("reusesNumbers", "the number of a push isn't counted up", .reusesNumbers),
            replica("leavesTargets", "a group goes without the new objects that it refers to", .leavesTargets),
            server("ignoresNonces", "nonces aren't compared", .ignoresNonces),
            server("forgetsAnswers", "an answered push is done again", .forgetsAnswers),
            server("ignoresBases", "bases aren't compared", .ignoresBases),
            server("cutsPages", "a page that is full counts as the last", .cutsPages),
            server("refusesDuplicates", "a second object with a unique value is refused", .refusesDuplicates),
            server("forgetsHorizon", "an old position gets changes without forgotten deletions", .forgetsHorizon),
            server("overlooksWriters", "what the server's program saves gets no position", .overlooksWriters),
            server("trustsClocks", "a time may be in the future", .trustsClocks),
        ]

    /// The inversions that need histories of one writer, to whom nothing is refused.
    static let ofOneWriter: [Inversion] = [
        replica("passesOthers", "a group goes behind a deletion, or a unique value, that it came before", .passesOthers)
    ].map { $0.of(.alone) }

    /// The inversions that need histories about large values.
    static let ofBlobs: [Inversion] = [
        server("lease", "a push that is sent again isn't asked for its values", .trustsUploads),
        replica("placeholder", "an object is saved with a placeholder for good", .keepsPlaceholders),
    ].map { $0.of(.blobs) }

    /// The inversions that need histories with scopes.
    static let ofScopes: [Inversion] = [
        server("reading", "replicas get objects of all scopes", .ignoresScopes),
        server("closure", "an object that comes into a scope comes alone", .forgetsClosure),
        server("membership", "an object that loses a scope's values keeps its place", .forgetsMembership),
        server("gone", "replicas don't hear of objects that left", .keepsLeavers),
        server("goneWithoutValues", "gone without values: an object that left comes with its values", .showsLeavers),
        server("writeCheck", "write check: replicas change what they may not have", .ignoresWriteScopes),
    ].map { $0.of(.scopes) }

    /// The inversions that need histories with several versions of the model.
    static let ofVersions: [Inversion] = [
        server("rename", "the server names things as its own version does", .ignoresRenames),
        server("default", "a replica gets null where its version needs a value", .ignoresDefaults),
        server("roots", "hierarchies of other versions make other objects", .ignoresRoots),
        replica("keepsModel", "a replica with a new version goes on at its position", .keepsModel),
    ].map { $0.of(.versions) }

    private func of(_ feature: SimulatedFeature) -> Inversion {
        var inversion = self
        inversion.feature = feature
        return inversion
    }

    private static func replica(_ name: String, _ text: String, _ variant: SyncReplicaVariant) -> Inversion {
        Inversion(name: name, text: text) { $0.replicaVariant.insert(variant) }
    }

    private static func server(_ name: String, _ text: String, _ variant: SyncServerVariant) -> Inversion {
        Inversion(name: name, text: text) { $0.serverVariant.insert(variant) }
    }
}
