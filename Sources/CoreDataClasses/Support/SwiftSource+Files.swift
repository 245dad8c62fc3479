// SPDX-License-Identifier: Apache-2.0

extension SwiftSource {
    /// Reads a file.
    ///
    /// - Throws: `CocoaError` if the file can't be read or isn't valid UTF-8.
    package init(contentsOf url: URL) throws {
        let data = try Data(contentsOf: url)
        guard let text = String(validating: data, as: UTF8.self) else {
            let reason = "the source file is not valid UTF-8. Save it as UTF-8."
            throw CoreDataErrors.cocoaError(
                .fileReadInapplicableStringEncoding, message: "\(url.path): \(reason)", reason: reason,
                userInfo: [NSFilePathErrorKey: url.path])
        }
        self.init(path: url.path, text: text)
    }

    /// Whether the file may contain declarations that need preparation. A fast search in the text.
    package var mentionsManagedObjects: Bool {
        text.contains("NSManaged") || text.contains("@objc") || text.contains("#keyPath") || text.contains("#selector")
    }
}

/// The sources of an imported module. They are read when a type is looked up in them.
package struct DependencySources: Sendable {
    let module: String
    let sources: [SwiftSource]

    package init(module: String, sources: [SwiftSource]) {
        self.module = module
        self.sources = sources
    }
}
