import CoreData

/// The arguments of a run.
struct Options {
    /// The work of a process that another one started.
    enum Child: String { case resources, instructions, writer }

    var workload: String?
    var arm: String?
    var rows: Int?
    var scale = 1.0
    var rounds = 5
    var clock = Clock.wall
    var measuresResources = true
    var lists = false
    /// Prints the names of the workloads alone, for scripts.
    var listsNames = false
    var showsHelp = false
    /// The document whose measured part a run writes.
    var document: String?
    var scaling = false
    var largest = 10_000_000
    var child: Child?
    var folder: String?
    /// The schema of a child that writes into a server.
    var schema: String?
    /// The program that runs SQLAlchemy's arms.
    var python = "python3"
    /// The version of the compiler, for the document.
    var compiler: String?

    static let help = """
        Compares OpenCoreData with SQLite's C API, GRDB and SQLAlchemy, on the same rows in the same files.

        make bench                                    every workload; about fifteen minutes
        make bench ARGS="--workload fetch"            the workloads whose name begins so
        make bench ARGS="--workload fetch --arm GRDB" the arms whose name has this text
        make bench ARGS="--scale 0.1 --rounds 3"      a tenth of the rows, three rounds: a first impression
        make bench ARGS="--write"                     writes the tables and the charts of Documentation/Performance.md
        make bench ARGS="--scaling"                   fetch, save and open from 1,000 to 10,000,000 rows
        make bench ARGS="--list"                      the workloads and their arms
        make bench-postgresql                         stores on a PostgreSQL server, which is started for it
        make bench-check                              instruction counts against the stored ones

        --workload NAME    workloads whose name begins with NAME
        --arm TEXT         arms whose name has TEXT
        --rows N           N rows in place of each workload's own number
        --scale X          X times each workload's own number of rows
        --rounds N         rounds; medians are reported (5)
        --clock CLOCK      wall, or processor for the time on processors, which a busy machine disturbs less (wall)
        --no-resources     doesn't run every arm once more in a process of its own for its memory and statements
        --folder PATH      where the files of the run are made (the temporary folder)
        --python PATH      a Python that has SQLAlchemy 2 (python3)
        --document PATH    replaces the measured part of this document, and writes the charts beside it
        --compiler TEXT    the version of Swift that the document names
        --scaling          measures fetch, save and open at growing sizes instead of the workloads
        --largest N        the largest size of --scaling (10000000)
        --list, --help

        The arms of a workload alternate, round by round. A ratio is the median of the ratios of the rounds. Memory and
        allocations are those of one run in a process of its own: "heap" is the most that the run has on the heap, over
        what was there before, and "resident" the growth of the process. "SQL" is the number of statements.
        """

    init(arguments: [String]) throws {
        var rest = arguments[...]
        func text(_ name: String) throws -> String {
            guard let text = rest.popFirst() else { throw BenchmarkError("\(name) needs a value; see --help") }
            return text
        }
        func number<Number: LosslessStringConvertible & Comparable & Numeric>(_ name: String) throws -> Number {
            guard let number = Number(try text(name)), number > 0 else {
                throw BenchmarkError("\(name) needs a number above zero; see --help")
            }
            return number
        }
        while let name = rest.popFirst() {
            switch name {
            case "--workload": workload = try text(name)
            case "--arm": arm = try text(name)
            case "--rows": rows = try number(name)
            case "--scale": scale = try number(name)
            case "--rounds": rounds = try number(name)
            case "--largest": largest = try number(name)
            case "--no-resources": measuresResources = false
            case "--list": lists = true
            case "--names": listsNames = true
            case "--scaling": scaling = true
            case "--folder": folder = try text(name)
            case "--schema": schema = try text(name)
            case "--python": python = try text(name)
            case "--compiler": compiler = try text(name)
            case "--document": document = try text(name)
            case "--help", "-h": showsHelp = true
            case "--clock":
                guard let clock = Clock(rawValue: try text(name)) else {
                    throw BenchmarkError("--clock needs wall or processor")
                }
                self.clock = clock
            case "--child":
                child = Child(rawValue: try text(name))
            default: throw BenchmarkError("unknown option \(name); see --help")
            }
        }
    }
}
