import CoreData

/// One contestant. Every arm keeps the same rows: a key and the ten integers of `Workload`, in a SQLite file of its
/// own, with a WAL journal and `synchronous = NORMAL`.
protocol Arm {
    var name: String { get }

    /// Makes a new file with `count` rows in one transaction. What is timed is the whole of `insert.run()`.
    func prepareInsert(at url: URL, count: Int) throws -> Measured
    /// Opens a file that `prepareInsert` filled, cold: nothing of it is cached by the arm.
    func prepareFetch(at url: URL) throws -> Measured
}

/// What is timed: everything before is set-up, everything after is taking down.
struct Measured {
    /// Answers the sum of all integers that it wrote or read, to show that the work was done.
    let run: () throws -> Int64
}
