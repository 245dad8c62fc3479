// SPDX-License-Identifier: Apache-2.0

import CoreDataModel

/// The compiled models of sources that the target no longer has, or leaves out. SwiftPM copies the plugin's products
/// into the target's bundle, and never removes them there.
struct StaleModels {
    private static let endings: Set<String> = ["momd", "mom", "cdm"]

    /// The folder of what the plugin generates for the target.
    private let folder: URL
    private let current: Set<String>
    private let bundle: String

    init(_ request: TargetRequest) {
        folder = URL(fileURLWithPath: request.accessors).deletingLastPathComponent()
        current = Set(request.compiledModels)
        bundle = request.bundle
    }

    /// Removes them from the plugin's folder, and from the bundles beside the built programs.
    func remove() {
        let stale = Self.names(in: folder).filter { name in
            Self.endings.contains(URL(fileURLWithPath: name).pathExtension) && !current.contains(name)
        }
        guard !stale.isEmpty else { return }
        for place in bundles + [folder] {
            // A file that can't be removed, or isn't there, stays as it is.
            for name in stale { try? FileManager.default.removeItem(at: place.appendingPathComponent(name)) }
        }
    }

    /// The bundles of the target in all builds: `.build/TRIPLE/CONFIGURATION/BUNDLE`. The plugin's folder is in
    /// `.build/plugins/outputs`.
    private var bundles: [URL] {
        let components = folder.standardizedFileURL.pathComponents
        guard
            let plugins = components.indices.last(where: {
                components[$0] == "plugins" && components.indices.contains($0 + 1) && components[$0 + 1] == "outputs"
            })
        else { return [] }
        let scratch = URL(fileURLWithPath: NSString.path(withComponents: Array(components[..<plugins])))
        return Self.folders(in: scratch).flatMap(Self.folders).map { $0.appendingPathComponent(bundle) }
    }

    private static func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private static func folders(in folder: URL) -> [URL] {
        names(in: folder).map { folder.appendingPathComponent($0) }.filter(OutputFile.isFolder)
    }
}
