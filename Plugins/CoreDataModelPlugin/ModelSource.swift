// SPDX-License-Identifier: Apache-2.0

import Foundation
import PackagePlugin

/// A model in a target's folder.
struct ModelSource {
    enum Kind {
        /// `.xcdatamodeld`
        case versions
        /// `.xcdatamodel`, or the text notation
        case single
        /// `.xcmappingmodel`
        case mapping
    }

    let url: URL
    let kind: Kind

    var name: String { url.deletingPathExtension().lastPathComponent }

    /// - Returns: nil if the file is no model.
    init?(at url: URL) {
        switch url.pathExtension {
        case "xcdatamodeld": kind = .versions
        case "xcdatamodel", "coredata": kind = .single
        case "xcmappingmodel": kind = .mapping
        default: return nil
        }
        self.url = url
    }

    /// The name of the compiled model in the bundle, as in Xcode.
    var compiledName: String {
        switch kind {
        case .versions: name + ".momd"
        case .single: name + ".mom"
        case .mapping: name + ".cdm"
        }
    }

    /// The folder and the files in it. Without the folder, SwiftPM warns of an unhandled file. Without the files,
    /// SwiftPM doesn't notice edits.
    var inputs: [URL] { [url] + FolderContents.files(below: url) }

    /// The compiled model.
    func compiled(in folder: URL) -> URL {
        // SwiftPM distinguishes paths with and without a trailing slash.
        folder.appending(path: compiledName, directoryHint: .notDirectory)
    }

    /// - Parameter module: the module of the target, to which class names with a leading dot refer.
    func compilation(by compiler: URL, for module: String, into folder: URL) -> Command {
        let compiled = compiled(in: folder)
        return .buildCommand(
            displayName: "Compiling model \(url.lastPathComponent)", executable: compiler,
            arguments: ["--module", module, url.path, compiled.path],
            inputFiles: inputs, outputFiles: [compiled])
    }
}
