import CoreDataModel
import OpenCoreData

/// A place where a model may be written.
enum ModelDestination {
    /// - Parameter replaces: whether a model that is there may be replaced; a folder of other things never is.
    /// - Throws: `CommandError` if something is there that stays.
    static func check(_ url: URL, replaces: Bool) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        guard replaces else {
            throw CommandError("\(url.path) exists already. Choose another name, or replace it with --force.")
        }
        do {
            if OutputFile.isFolder(url) { _ = try ModelFile.form(of: url) }
        } catch {
            throw CommandError("\(url.path) is a folder that holds no model, and is not replaced. Choose another name.")
        }
    }
}
