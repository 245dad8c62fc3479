// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// The files in the folder of a target: the models, the compiled sources and the excluded sources.
struct TargetFiles {
    /// The extensions of folders with files of other tools.
    private static let foreignEndings: Set<String> = [
        "docc", "playground", "xcodeproj", "xcworkspace", "xcassets", "bundle", "resources", "framework", "xcframework",
        "build",
    ]

    private(set) var models: [ModelSource] = []
    private(set) var excludedSources: [URL] = []
    let compiledSources: [URL]
    let configuration: PluginConfiguration

    /// - Parameter others: the other targets of the package, whose folders may be inside of this one.
    /// - Throws: the error of the target's `coredata-plugin.json`.
    init(of target: SwiftSourceModuleTarget, others: [any Target]) throws {
        configuration = try PluginConfiguration(inFolder: target.directoryURL)
        // The files of other plugins don't exist yet.
        compiledSources = target.sourceFiles(withSuffix: "swift").map(\.url).filter {
            FileManager.default.fileExists(atPath: $0.path)
        }
        let known = Set(compiledSources.map(\.standardizedFileURL.path))
        let otherTargets = Set(others.filter { $0.id != target.id }.map(\.directoryURL.standardizedFileURL.path))
        walk(target.directoryURL, known: known, otherTargets: otherTargets)
    }

    var allSources: [URL] { compiledSources + excludedSources }

    /// The models with entities, which may have generated classes. Mapping models have none.
    var modelsWithClasses: [ModelSource] { models.filter { $0.kind != .mapping } }

    /// Whether the target has models, or sources that mention Core Data.
    var usesCoreData: Bool {
        !models.isEmpty
            || allSources.contains { source in
                (try? Data(contentsOf: source))?.range(of: Data("CoreData".utf8)) != nil
            }
    }

    private mutating func walk(_ folder: URL, known: Set<String>, otherTargets: Set<String>) {
        for name in FolderContents.names(in: folder) {
            let url = folder.appending(path: name, directoryHint: .notDirectory)
            if configuration.excludes(url) { continue }
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
