// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreDataModel
import OpenCoreData

/// `coredata store doctor STORE`
struct StoreDoctorCommand: ParsableCommand {
    /// The exit codes of `doctor`.
    private enum Status {
        static let hasProblems = ExitCode(1)
        static let failed = ExitCode(2)
    }

    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examines a store: its model, whether it migrates, its integrity, its files, CloudKit's mirror.",
        discussion: """
            Which version of the model made the store, what differs from the current one, whether and how the store is \
            migrated (lightweight, by a mapping model, through other versions), which objects and values that would \
            delete, which mapping models aren't used, what SQLite and Core Data find wrong in the file (damage, \
            references to objects that don't exist, keys, required values, external data), and which files belong to \
            it. The store isn't changed. An XML or binary store has no model in it: add its model with --models or \
            --model. All its objects are read; required values and the two sides of relationships are examined. Of a \
            store on a PostgreSQL server, the tables, the keys, the references and the required values are examined. \
            What the server keeps them in is not. With --steps the report has what a lightweight migration would do to \
            the tables: each step in words, with its SQL, and the values that it binds after "--". It also writes the \
            metadata of the store and the model in it, and deletes the history of a SQLite store.

            In a SQLite store that NSPersistentCloudKitContainer mirrors, the tables of the mirror (ANSCK\u{2026}) are \
            examined, too: records without an object, several records of one object, several objects of one record, \
            rows that refer to nothing, leftovers. The report has the meaning of each finding. Objects that wait for \
            their upload, and deletions that CloudKit doesn't know yet, are named and are no problems. With --repair a \
            copy of the store is written whose mirror has no problems. The store itself stays as it is, no object is \
            removed from the copy, and nothing is changed in CloudKit. Other problems are in the copy, too.

            The exit code is 0 without problems, 1 with problems (with --repair: in the copy), and 2 after an error. \
            That a store must be migrated is no problem; that it can't be is one.

            Examples:
              coredata store doctor Shop.sqlite
              coredata store doctor Shop.sqlite --models Sources/Shop/Models
              coredata store doctor Shop.sqlite --models Shop.momd --steps
              coredata store doctor Shop.sqlite --models Shop.momd Mappings --format json
              coredata store doctor Shop.sqlite --repair Mended.sqlite
            """)

    @Argument(help: ArgumentHelp("\(StoreLocation.help)", valueName: "store"))
    var store: StoreLocation

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Models, mapping models, and folders with them: the versions that the program knows.", valueName: "path"))
    var models: [FilePath] = []

    @Option(
        help: ArgumentHelp(
            "The model to migrate to. The default is the current version of the bundle that made the store.",
            valueName: "path"))
    var model: FilePath?

    @Flag(help: "Show the steps of a lightweight migration, with their SQL.")
    var steps = false

    @Option(
        help: ArgumentHelp("Write a copy of the store, with CloudKit's mirror mended.", valueName: "file"))
    var repair: FilePath?

    @Flag(help: "Replace an existing store by the copy.")
    var force = false

    @Option(help: "The output format.")
    var format: TextFormat = .text

    func validate() throws {
        if force, repair == nil { throw ValidationError("--force is for --repair.") }
    }

    func run() throws {
        do {
            store.removeLeftovers()
            let repair = try repair.map { try StoreRepair(of: store, to: $0, replaces: force) }
            let bar = ProgressBar("examining the store")
            defer { bar.clear() }
            var diagnosis = try StoreDiagnosis(
                store, known: KnownModels(paths: models.map(\.text)), destination: model?.text,
                showsSteps: steps)
            diagnosis.repair = try repair?.run(model: diagnosis.model)
            bar.clear()
            switch format {
            case .json: try StandardStreams.output(JSONText.of(diagnosis))
            case .text: for line in diagnosis.lines { try StandardStreams.outputText(line) }
            }
            if diagnosis.hasProblems { throw Status.hasProblems }
        } catch let error where !(error is OutputError || error is ExitCode) {
            try StandardStreams.flush()
            StandardStreams.error("Error: \(ErrorReport.text(for: error))")
            throw Status.failed
        }
    }
}
