import CoreDataModel
import OpenCoreData

/// A place for a model: what is written there appears as a whole, or not at all.
struct ModelDestination {
    private let url: URL
    private let isTaken: Bool

    /// - Parameter replaces: whether a model that is there may be replaced; anything else never is.
    /// - Throws: `CommandError` if something is there that stays, or the folder around it is missing.
    init(_ url: URL, replaces: Bool) throws {
        self.url = url
        let parent = url.deletingLastPathComponent()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: parent.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandError("The folder \(parent.path) doesn't exist. Make it first.")
        }
        isTaken = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        guard isTaken else { return }
        guard replaces else { throw CommandError("\(url.path) exists already. Choose another name, or replace it with --force.") }
        do {
            if isFolder.boolValue { _ = try ModelFile.form(of: url) }
        } catch {
            throw CommandError("\(url.path) is a folder that holds no model, and is not replaced. Choose another name.")
        }
    }

    /// Has `body` write the model to a draft beside the place, and moves it there if nothing was thrown.
    func write<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let manager = FileManager.default
        let folder = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: false)
        // What can't be removed is hidden, and harmless.
        defer { try? manager.removeItem(at: folder) }
        let draft = folder.appendingPathComponent(url.lastPathComponent)
        let result = try body(draft)
        let old = folder.appendingPathComponent("replaced")
        if isTaken { try manager.moveItem(at: url, to: old) }
        do {
            try manager.moveItem(at: draft, to: url)
        } catch {
            if isTaken { try manager.moveItem(at: old, to: url) }
            throw error
        }
        return result
    }
}
