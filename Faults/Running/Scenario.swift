import OpenCoreData

/// Something that can go wrong, and what must hold after it.
protocol Scenario: Sendable {
    var name: String { get }

    /// Works in a separate process, which may be killed at any moment.
    func work(_ child: Child) throws

    /// Starts processes, disturbs them, and checks what they leave.
    func run(_ round: Round) throws
}

/// The counts of one scenario.
struct Tally {
    var rounds = 0
    var kills = 0
    /// Saves, or other transactions, that the stores had at the end of their rounds.
    var steps = 0
    /// Rounds that left something to be cleaned up: a log, a journal of external data, an unfinished file.
    var remainders = 0
    var failures = 0
    /// Why the scenario, or a part of it, couldn't run.
    var skipped: String?
    /// Figures of a scenario that measures.
    var notes: [String] = []
}

/// All scenarios, in the order of the table.
enum Scenarios {
    static let all: [any Scenario] = [
        KilledSaves(name: "saves"), KilledSaves(name: "external", steps: SavedSteps(imageCount: SavedSteps.rowCount)),
        KilledBatches(), KilledPurges(), KilledSaves(name: "binary", storeType: NSBinaryStoreType),
        KilledSaves(name: "xml", storeType: NSXMLStoreType),
        KilledMigrations(name: "migration", storeType: NSSQLiteStoreType, hasMapping: false),
        KilledMigrations(name: "mapped-migration", storeType: NSSQLiteStoreType, hasMapping: true),
        KilledMigrations(name: "xml-migration", storeType: NSXMLStoreType, hasMapping: false), KilledPlans(),
        KilledCommands(),
        FullDisk(), FullDiskMigrations(), WithdrawnFiles(), LeftLogs(), Backups(), BackupsOfChangedStores(),
        RefusedCopies(), FailureLoops(), InterleavedVersions(), ManyRows(),
    ]
}
