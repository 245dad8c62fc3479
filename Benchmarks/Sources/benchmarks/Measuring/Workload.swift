/// One thing that programs do with a store, done by several arms on the same rows.
struct Workload {
    /// The name for `--workload` and in the stored instruction counts.
    let name: String
    /// The measured work in words. `#` stands for the number of rows.
    let title: String
    /// The rows of a full run.
    let rows: Int
    /// The rows of a short run under `callgrind`.
    let checkedRows: Int
    /// Whether `--rows` and `--scale` change the number.
    var isScalable = true
    /// The title of the part of the report.
    let group: Group
    /// The clock that alone says something; nil if both do.
    var clock: Clock?
    let arms: [Arm]
    let targets: [Target]
    /// Whether the memory, the statements and the instructions of the arms in this process say something.
    var measuresResources = true

    enum Group: String, CaseIterable {
        case fetching = "Fetching"
        case saving = "Saving"
        case batches = "Batch requests"
        case uniqueness = "Constraints and find-or-create"
        case apps = "Work of apps"
        case relationships = "Relationships"
        case contexts = "Contexts and stores"
        case others = "History, migration, predicates"
        case swiftData = "SwiftData"
        case server = "PostgreSQL"
    }

    /// The arm whose instructions `make bench-check` counts: the first arm of our framework. If models are compared
    /// with managed objects, it is the arm of the models.
    var checkedArm: Arm? { group == .swiftData ? arms.last : arms.first(where: \.isOwn) }

    func title(rows: Int) -> String {
        title.replacing("#", with: rows.formatted(.number.locale(.init(identifier: "en_US"))))
    }
}

/// One contestant of a workload.
struct Arm {
    static let raw = "raw SQLite"
    /// SQLite's C API as few programs use it: see the module `OneStatement`.
    static let oneStatement = "raw SQLite, one statement"
    static let own = "OpenCoreData"
    static let structs = "GRDB struct"
    static let records = "GRDB record class"
    static let python = "SQLAlchemy"

    let name: String
    /// How many units of work the arm does in a run with this many rows, for the time and the memory of one unit.
    let units: (Int) -> Int
    /// Does everything that isn't measured: makes the file, opens it, fetches what is to be changed.
    let prepare: (Stage, Int) throws -> Measured

    init(_ name: String, units: @escaping (Int) -> Int = { $0 }, prepare: @escaping (Stage, Int) throws -> Measured) {
        self.name = name
        self.units = units
        self.prepare = prepare
    }

    /// Whether the arm runs our framework.
    var isOwn: Bool { name.hasPrefix(Arm.own) }
}

/// The measured part of an arm.
struct Measured {
    let run: () throws -> Outcome

    init(_ run: @escaping () throws -> Outcome) {
        self.run = run
    }
}

/// The result of a run. Freeing it is measured, too.
struct Outcome {
    /// Shows that the work was done: the arms that do the same number of units must agree.
    let checksum: Int64?
    /// The objects that a program keeps: their memory is measured.
    var retained: Any?
    /// The time, if the arm measures in a separate process.
    var time: Time?

    init(_ checksum: Int64?, retained: Any? = nil, time: Time? = nil) {
        self.checksum = checksum
        self.retained = retained
        self.time = time
    }
}
