// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store import STORE FILE --entity E`
struct StoreImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes and changes objects from the rows of a CSV or JSON file.",
        discussion: """
            The first line of a CSV file has the names of properties. A JSON file is an array of objects; in JSON \
            lines (.jsonl) each line is an object. The text is UTF-8. Values have the forms in which 'store fetch' \
            writes them: what it exports can be imported. In CSV, nothing between two commas is no value, and "" an \
            empty text.

            A row finds its object by the attributes of a uniqueness constraint (or of --key), and makes one if there \
            is none. What a row doesn't name stays as it is. A related object is named by its unique attribute, or by \
            the attribute in the name of the column: owner.email. Several are a JSON array, or have semicolons between \
            them.

            Rows are saved in batches. A row that can't be used is refused, with its line and the reason on standard \
            error, and the others are imported. Run the command again when the file is mended: with keys, rows that \
            are there already change nothing.

            The exit code is 0 if all rows were imported, 2 if some were refused, and 1 after an error, which leaves \
            the batches before it saved.

            Examples:
              coredata store import Shop.sqlite cars.csv --entity Car --dry-run
              coredata store import Shop.sqlite people.json --entity Person --key email
              coredata store import New.sqlite people.jsonl --entity Person --create \\
                --model Shop.xcdatamodeld
              coredata store fetch A.sqlite --entity Car --format jsonl |
                coredata store import B.sqlite - --input jsonl --entity Car \\
                  --attributes-only
            """)

    /// The exit code if some rows were refused.
    private static let hasRefusals = ExitCode(2)

    @Argument(help: ArgumentHelp("\(StoreLocation.help)", valueName: "store"))
    var store: StoreLocation

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
    var file: FilePath

    @Option(
        help: "The entity of the objects. A row may name a subentity as its entity.", completion: .entities)
    var entity: String?

    @Option(help: ArgumentHelp("The model. The default is the model in the store.", valueName: "path"))
    var model: FilePath?

    @Option(help: "The format of the file. The default follows its extension (.csv, .tsv, .json, .jsonl, .ndjson).")
    var input: ImportFormat?

    @Option(
        help: ArgumentHelp(
            "The character between the columns of a CSV file, or 'tab'. The default is a comma, or a tab in .tsv.",
            valueName: "character"))
    var delimiter: String?

    @Option(
        help: ArgumentHelp(
            "The attributes by which a row finds its object. The default is the first uniqueness constraint whose "
                + "attributes the row has.",
            valueName: "attribute,…"))
    var key: String?

    @Option(help: ArgumentHelp("Columns of the file to leave out.", valueName: "column,…"))
    var skip: String?

    @Option(
        help: ArgumentHelp("Names of columns and the properties that they stand for.", valueName: "column=property,…"))
    var rename: String?

    @Flag(help: "Leave the relationships in the file out.")
    var attributesOnly = false

    @Flag(
        help: "IDs such as Car/p5 are those of this store: the file was exported from it. Rows change these objects.")
    var sameStore = false

    @Flag(help: "Make the store if it doesn't exist, with the model of --model.")
    var create = false

    @Flag(help: "Tell what would be done, and save nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("The number of rows that are saved together.", valueName: "count"))
    var batch = 1_000

    @Option(help: ArgumentHelp("The author of the transactions in the store's history.", valueName: "name"))
    var author = "coredata store import"

    @Option(help: "The format of the report.")
    var format: TextFormat = .text

    func validate() throws {
        if batch < 1 { throw ValidationError("--batch must be 1 or more.") }
        if create, model == nil { throw ValidationError("--create needs the model of the store: --model.") }
        if create, dryRun {
            throw ValidationError("--dry-run saves nothing, so it can't make a store. Leave --create out.")
        }
        _ = try delimiterByte
        _ = try inputFormat
        _ = try renamed
    }

    private var isStandardInput: Bool { file.text == "-" }

    private var inputFormat: ImportFormat {
        get throws {
            if let input { return input }
            guard let format = ImportFormat(path: file.text) else {
                if !store.isOnServer, ImportFormat(path: store.text) != nil {
                    throw ValidationError(
                        "The store comes first, then the file: coredata store import \(file.text) \(store.text).")
                }
                throw ValidationError(
                    isStandardInput
                        ? "Standard input has no extension. Give its format by --input csv, json or jsonl."
                        : """
                        The extension of '\(file.text)' is none of .csv, .tsv, .json, .jsonl and .ndjson. Give the \
                        format by --input csv, json or jsonl.
                        """)
            }
            return format
        }
    }

    private var delimiterByte: UInt8 {
        get throws {
            guard let delimiter else {
                let isTabs = ["tsv", "tab"].contains(URL(fileURLWithPath: file.text).pathExtension.lowercased())
                return UInt8(ascii: isTabs ? "\t" : ",")
            }
            if delimiter == "tab" || delimiter == "\\t" { return UInt8(ascii: "\t") }
            guard delimiter.utf8.count == 1, let byte = delimiter.utf8.first, byte != 34, byte != 10, byte != 13 else {
                throw ValidationError("--delimiter is one character of ASCII, and no quote.")
            }
            return byte
        }
    }

    private var renamed: [String: String] {
        get throws {
            var names: [String: String] = [:]
            for part in rename.map({ $0.split(separator: ",") }) ?? [] {
                guard let sign = part.lastIndex(of: "="), sign > part.startIndex,
                    part.index(after: sign) < part.endIndex
                else { throw ValidationError("'\(part)' is no new name. Use COLUMN=PROPERTY, separated by commas.") }
                names[String(part[..<sign])] = String(part[part.index(after: sign)...])
            }
            return names
        }
    }

    // MARK: Running

    func run() throws {
        guard let name = entity else { throw MissingEntity.error(in: store, modelPath: model?.text) }
        let input = try openInput()
        if !create, !store.isOnServer, !FileManager.default.fileExists(atPath: store.url.path) {
            throw CommandError(
                "The store \(store.text) doesn\u{2019}t exist. Make it with --create and --model MODEL.")
        }
        if create, let model { try StoreCreation(location: store, modelPath: model.text).createIfMissing() }
        store.removeLeftovers()
        let opened = try ReadOnlyStore(store, modelPath: model?.text, isReadOnly: dryRun)
        defer { opened.close() }
        opened.context.transactionAuthor = author
        let entity = try opened.entity(named: name)
        let source = isStandardInput ? "standard input" : file.text
        let bar = ProgressBar()
        defer { bar.clear() }
        do {
            let report = try importer(input, into: opened, entity, source, bar)
            bar.clear()
            try printReport(report)
        } catch let fault as ImportFault {
            throw CommandError("\(source):\(fault.line): \(fault.text)")
        }
    }

    private func importer(
        _ input: FileHandle, into opened: ReadOnlyStore, _ entity: NSEntityDescription, _ name: String,
        _ bar: ProgressBar
    ) throws -> ImportReport {
        // A pipe has no size.
        let size = try? input.seekToEnd()
        if size != nil { try input.seek(toOffset: 0) }
        let reader = try ImportReader(input, format: inputFormat, delimiter: delimiterByte)
        let preparation = RowPreparation(
            store: opened,
            columns: ImportColumns(
                entity: entity, skipped: Set((skip ?? "").split(separator: ",").map(String.init)), renamed: try renamed,
                ignoresRelationships: attributesOnly),
            isOfSameStore: sameStore)
        if let header = reader.header { try preparation.check(header: header, line: 1) }
        let importer = Importer(
            store: opened, reader: reader, preparation: preparation, keyAttributes: try keyAttributes(of: entity),
            // A file that is written as a whole at each save is written once.
            batchSize: opened.isInMemory ? .max : batch, isRehearsal: dryRun,
            report: ImportReport(file: name, isRehearsal: dryRun)
        ) { report in
            let text = Wording.count(report.rowCount, "row")
            guard let size else { return bar.show(text: text) }
            bar.show(Double(reader.source.offset) / Double(max(size, 1)), text)
        }
        do {
            try importer.run()
        } catch {
            bar.clear()
            for line in importer.report.refusalLines { StandardStreams.error(line) }
            StandardStreams.error("Before the error: \(importer.report.summary)")
            throw error
        }
        return importer.report
    }

    private func printReport(_ report: ImportReport) throws {
        switch format {
        case .text:
            for line in report.refusalLines { StandardStreams.error(line) }
            try StandardStreams.outputText(report.summary)
        case .json: try StandardStreams.output(JSONText.of(report))
        }
        if report.refusedCount > 0 { throw Self.hasRefusals }
    }

    private func openInput() throws -> FileHandle {
        if isStandardInput { return .standardInput }
        let url = URL(fileURLWithPath: file.text)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CommandError("The file \(file.text) doesn\u{2019}t exist.")
        }
        if isFolder.boolValue { throw CommandError("\(file.text) is a folder. Give the path of a file.") }
        // Opening and closing a store's file would end the locks of SQLite.
        if StoreFile.isStore(url) {
            throw CommandError("\(file.text) is a store. Give the path of a CSV or JSON file.")
        }
        return try FileHandle(forReadingFrom: url)
    }

    private func keyAttributes(of entity: NSEntityDescription) throws -> [NSAttributeDescription]? {
        try key?.split(separator: ",").map { name in
            guard let attribute = entity.attributesByName[String(name)], !attribute.isTransient else {
                throw CommandError(
                    """
                    --key: \(entity.name ?? "") has no stored attribute '\(name)'. It has: \
                    \(entity.storedAttributes.map(\.name).joined(separator: ", ")).
                    """)
            }
            return attribute
        }
    }
}
