// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenCoreData

/// `coredata store diff A B`
struct StoreDiffCommand: ParsableCommand {
    /// How objects of both stores find each other.
    enum Matching: String, ExpressibleByArgument, CaseIterable {
        case key, unique
    }

    /// The exit codes of `diff`.
    private enum Status {
        static let different = ExitCode(1)
        static let failed = ExitCode(2)
    }

    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Prints the differences between the objects of two stores: values and links.",
        discussion: """
            Objects are matched by their primary keys if one store is a copy of the other (both have the same UUID and \
            type), and otherwise by the attributes of their first uniqueness constraint. --match selects. Objects of \
            entities without a constraint are counted only.

            '-' marks an object that only A has, '+' one that only B has, '~' one that differs. Links are compared by \
            the attributes that match the linked objects, ordered links with their order. Entities and properties that \
            only one of the stores has are named, and not compared: 'coredata model diff' does that.

            The exit code is 0 without differences, 1 with differences, and 2 after an error.

            Examples:
              coredata store diff Backup.sqlite Shop.sqlite
              coredata store diff Phone.sqlite Server.sqlite --match unique \\
                --entity Car --ignore updatedAt
              coredata store diff A.sqlite B.sqlite --summary
            """)

    @Argument(help: ArgumentHelp("The old store.", valueName: "a"))
    var old: StoreLocation

    @Argument(help: ArgumentHelp("The new store.", valueName: "b"))
    var new: StoreLocation

    @Option(help: ArgumentHelp("The model of both stores. The default is the model in each.", valueName: "path"))
    var model: FilePath?

    @Option(help: "How objects are matched: key or unique. The default depends on the UUIDs of the stores.")
    var match: Matching?

    @Option(
        help: ArgumentHelp("Compare these entities alone, without their subentities.", valueName: "name,…"),
        completion: .entities)
    var entity: String?

    @Option(help: ArgumentHelp("Properties that are not compared.", valueName: "property,…"))
    var ignore: String?

    @Flag(help: "Print the numbers of objects alone.")
    var summary = false

    @Option(help: "The output format.")
    var format: ListFormat = .text

    func run() throws {
        do {
            let (a, b) = try (open(old), open(new))
            defer {
                a.close()
                b.close()
            }
            let output = StoreDifferenceOutput(
                format: format, oldName: old.text, newName: new.text, showsObjects: !summary)
            let isEqual = try compare(a, b, output)
            try output.finish()
            if !isEqual { throw Status.different }
        } catch let error where !(error is OutputError || error is ExitCode) {
            try StandardStreams.flush()
            StandardStreams.error("Error: \(ErrorReport.text(for: error))")
            throw Status.failed
        }
    }

    private func open(_ location: StoreLocation) throws -> ReadOnlyStore {
        location.removeLeftovers()
        return try ReadOnlyStore(location, modelPath: model?.text)
    }

    private func compare(_ a: ReadOnlyStore, _ b: ReadOnlyStore, _ output: StoreDifferenceOutput) throws -> Bool {
        // A copy of another type may have other keys.
        let stores = [a, b].map { $0.coordinator.persistentStores.first }
        let isCopy = stores[0]?.identifier == stores[1]?.identifier && stores[0]?.type == stores[1]?.type
        let matching = match ?? (isCopy ? .key : .unique)
        let ignored = Set((ignore ?? "").split(separator: ",").map(String.init))
        let names = entity.map { Set($0.split(separator: ",").map(String.init)) }
        if let names { for name in names { _ = try a.entity(named: name) } }
        func entities(_ store: ReadOnlyStore) -> [String: NSEntityDescription] {
            Dictionary(
                store.entities.filter { !$0.isAbstract && names?.contains($0.name ?? "") ?? true }.map {
                    ($0.name ?? "", $0)
                }, uniquingKeysWith: { first, _ in first })
        }
        let (inA, inB) = (entities(a), entities(b))
        var isEqual = true
        let bar = ProgressBar("comparing the stores")
        defer { bar.clear() }
        let all = Set(inA.keys).union(inB.keys).sorted()
        for (index, name) in all.enumerated() {
            bar.show(Double(index) / Double(all.count), name)
            let difference: EntityDifference
            switch (inA[name], inB[name]) {
            case (let entityA?, let entityB?):
                let comparison = EntityComparison(
                    a: a, b: b, entityA: entityA, entityB: entityB, matching: matching, ignored: ignored)
                difference = try comparison.run { difference in
                    bar.clear()
                    try output.add(difference)
                }
            case (let entityA?, nil):
                difference = EntityDifference(
                    entity: name, onlyInA: try EntityComparison.count(entityA, in: a),
                    note: "only \(old.text) has the entity")
            case (nil, let entityB?):
                difference = EntityDifference(
                    entity: name, onlyInB: try EntityComparison.count(entityB, in: b),
                    note: "only \(new.text) has the entity")
            case (nil, nil): continue
            }
            bar.clear()
            try output.add(difference)
            isEqual = isEqual && difference.isEqual
        }
        return isEqual
    }
}
