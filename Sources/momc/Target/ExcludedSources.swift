import CoreDataClasses

/// Chooses the excluded sources of a target that are compiled as copies: those that use managed objects or Objective-C,
/// and all others in a folder that is excluded whole and contains one of them.
struct ExcludedSources {
    /// The paths of the sources.
    let rewritten: Set<String>

    /// - Parameters:
    ///   - folder: the path of the target's folder.
    ///   - compiled: the paths of the sources that the package manager compiles.
    ///   - excluded: the other sources in the folder.
    init(folder: String, compiled: [String], excluded: [SwiftSource]) {
        let root = Self.components(of: folder)
        var compiledFolders: Set<[String]> = []
        for path in compiled {
            var parent = Self.components(of: path).dropLast()
            while parent.count >= root.count, compiledFolders.insert(Array(parent)).inserted { parent.removeLast() }
        }
        /// The outermost folder around a source that has no compiled source; nil if there is none.
        func excludedFolder(of source: SwiftSource) -> [String]? {
            let parent = Self.components(of: source.path).dropLast()
            guard parent.count > root.count, parent.starts(with: root) else { return nil }
            return (root.count + 1...parent.count).lazy.map { Array(parent.prefix($0)) }
                .first { !compiledFolders.contains($0) }
        }
        let needed = excluded.filter { $0.mentionsManagedObjects || $0.text.contains("import CoreData") }
        let folders = Set(needed.compactMap(excludedFolder))
        rewritten = Set(
            excluded.filter { source in excludedFolder(of: source).map(folders.contains) ?? false }.map(\.path)
                + needed.map(\.path))
    }

    private static func components(of path: String) -> [String] { path.split(separator: "/").map(String.init) }
}
