import Foundation
import PackagePlugin

/// What lies in a target's folder: its models, the sources that SwiftPM compiles, and those that it was told to leave
/// out.
struct TargetFiles {
    /// Folders with these endings hold files of other tools.
    private static let foreignEndings: Set<String> = [
        "docc", "playground", "xcodeproj", "xcworkspace", "xcassets", "bundle", "resources", "framework", "xcframework",
        "build",
    ]

    private(set) var models: [ModelSource] = []
    private(set) var excludedSources: [URL] = []
    let compiledSources: [URL]

    /// - Parameter others: the other targets of the package, whose folders may lie in this one's.
    init(of target: SwiftSourceModuleTarget, others: [any Target]) {
        // What other plugins generate isn't there yet.
        compiledSources = target.sourceFiles(withSuffix: "swift").map(\.url).filter {
            FileManager.default.fileExists(atPath: $0.path)
        }
        let known = Set(compiledSources.map(\.standardizedFileURL.path))
        let otherTargets = Set(others.filter { $0.id != target.id }.map(\.directoryURL.standardizedFileURL.path))
        walk(target.directoryURL, known: known, otherTargets: otherTargets)
    }

    var allSources: [URL] { compiledSources + excludedSources }

    /// The models that describe entities, which may generate classes.
    var modelsWithClasses: [ModelSource] { models.filter { $0.kind != .mapping } }

    /// Whether there is anything to do.
    var concernCoreData: Bool {
        !models.isEmpty
            || allSources.contains { source in
                (try? Data(contentsOf: source))?.range(of: Data("CoreData".utf8)) != nil
            }
    }

    private mutating func walk(_ folder: URL, known: Set<String>, otherTargets: Set<String>) {
        for name in FolderContents.names(in: folder) {
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            if let model = ModelSource(at: url) {
                models.append(model)
            } else if FolderContents.isFolder(url) {
                let isForeign =
                    Self.foreignEndings.contains(url.pathExtension)
                    || otherTargets.contains(url.standardizedFileURL.path)
                    || FileManager.default.fileExists(atPath: url.appending(path: "Package.swift").path)
                if !isForeign { walk(url, known: known, otherTargets: otherTargets) }
            } else if url.pathExtension == "swift", name != "Package.swift",
                !known.contains(url.standardizedFileURL.path)
            {
                excludedSources.append(url)
            }
        }
    }
}
