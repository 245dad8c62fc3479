import CoreDataClasses
import CoreDataModel
import OpenCoreData

/// Uses a model that was read from a mutant as programs and tools do: a model that was accepted must be usable.
enum ModelUse {
    /// Making a store costs a hundred times as much as the other checks.
    private static let storeInterval = 23

    static func use(_ model: NSManagedObjectModel, in folder: URL, number: Int) throws {
        if let problem = model.firstProblem() { throw Finding("it was read, but can't be used: \(problem.message)") }
        let hashes = model.entityVersionHashesByName
        try compiled(model, hashes)
        try source(model, hashes, in: folder)
        try notation(model, hashes, in: folder)
        guard let copy = model.copy() as? NSManagedObjectModel, copy.entityVersionHashesByName == hashes else {
            throw Finding("the copy of what was read has other hashes")
        }
        _ = copy.isEqual(model)
        _ = ModelLint.findings(in: model)
        if !ModelComparison(from: model, to: copy).isEqual {
            throw Finding("the copy of what was read differs from it")
        }
        try classes(model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: copy)
        if number % storeInterval == 0 { try store(coordinator, in: folder) }
    }

    /// Archives of all formats, which must be equal after reading and writing.
    private static func compiled(_ model: NSManagedObjectModel, _ hashes: [String: Data]) throws {
        // A model cache repeats inherited relationships, and can't express a redeclared one.
        let redeclares = model.entities.contains { entity in
            entity.ownProperties.contains {
                $0 is NSRelationshipDescription && entity.superentity?.property(named: $0.name) != nil
            }
        }
        for form in redeclares ? [ModelArchive.Form.compiled, .coded] : [.compiled, .storeCache, .coded] {
            let archive: Data
            do {
                archive = try ModelArchive.encode(model, as: form)
            } catch let error as CocoaError where error.code == .coderInvalidValue {
                continue
            }
            let again: NSManagedObjectModel
            do {
                again = try ModelArchive.decode(archive)
            } catch {
                throw Finding("what was written as an archive (\(form)) can't be read: \(error)")
            }
            try compare(again.entityVersionHashesByName, hashes, "as an archive (\(form))")
        }
    }

    private static func source(_ model: NSManagedObjectModel, _ hashes: [String: Data], in folder: URL) throws {
        let target = folder.appendingPathComponent("Written.xcdatamodel")
        do {
            try SourceModelWriter.write(model, to: target)
        } catch let error as CocoaError where error.code == .fileWriteUnknown {
            if FileManager.default.fileExists(atPath: target.path) {
                throw Finding("a model that can't be written left a file behind")
            }
            return
        }
        let again: NSManagedObjectModel
        do {
            again = try ModelFile.load(at: target)
        } catch {
            throw Finding("what was written as a source model can't be read: \(error.localizedDescription)")
        }
        try compare(again.entityVersionHashesByName, hashes, "as a source model")
    }

    private static func notation(_ model: NSManagedObjectModel, _ hashes: [String: Data], in folder: URL) throws {
        let file = folder.appendingPathComponent("Written.coredata")
        do {
            try TextNotation.write(model, to: file)
        } catch let error as CocoaError where error.code == .fileWriteUnknown {
            if FileManager.default.fileExists(atPath: file.path) {
                throw Finding("a model that has no text left a file behind")
            }
            return
        }
        let again: NSManagedObjectModel
        do {
            again = try ModelFile.load(at: file)
        } catch {
            throw Finding("what was written as text can't be read: \(error.localizedDescription)")
        }
        try compare(again.entityVersionHashesByName, hashes, "as text")
    }

    /// Classes of both styles. Names that aren't valid in Swift are refused.
    private static func classes(_ model: NSManagedObjectModel) throws {
        for style in ClassGenerationOptions.Style.allCases {
            do {
                _ = try ClassGenerator(model: model, options: ClassGenerationOptions(style: style)).files()
            } catch let error as CocoaError where error.code == .fileWriteUnknown {
                continue
            }
        }
    }

    /// Compiles a source with `momc`: the result is a compiled model, or no file.
    ///
    /// - Parameter isSound: whether the source was read without errors.
    static func compile(_ source: URL, isSound: Bool, in folder: URL) throws {
        let output = folder.appendingPathComponent("Compiled.mom")
        let isWritten: Bool
        do {
            isWritten = try ModelCompiler().compile(source, to: output).output != nil
        } catch {
            try Refusal.check(error, naming: folder)
            isWritten = false
        }
        if isWritten != FileManager.default.fileExists(atPath: output.path) {
            throw Finding("the compiler \(isWritten ? "wrote nothing" : "failed and left a file behind")")
        }
        if isWritten && !isSound { throw Finding("the compiler compiled what can't be read") }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(".") }
        if !left.isEmpty { throw Finding("the compiler left drafts behind: \(left)") }
    }

    private static func compare(_ hashes: [String: Data], _ expected: [String: Data], _ form: String) throws {
        if hashes == expected { return }
        let names = Set(hashes.keys).union(expected.keys).filter { hashes[$0] != expected[$0] }.sorted()
        throw Finding(
            "written \(form) and read again it has other hashes: \(names.joined(separator: ", ").prefix(200))")
    }

    /// A store of the model with tables, indexes and triggers. SQLite may refuse a part of it with a proper error.
    private static func store(_ coordinator: NSPersistentStoreCoordinator, in folder: URL) throws {
        let url = folder.appendingPathComponent("Store.sqlite")
        do {
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
            try coordinator.remove(store)
        } catch {
            guard (error as NSError).domain == NSCocoaErrorDomain else {
                throw Finding("a store of it can't be made: \(error)")
            }
        }
    }
}
