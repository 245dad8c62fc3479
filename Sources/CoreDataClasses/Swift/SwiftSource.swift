/// A Swift source file: its text, and where messages say that it lies.
package struct SwiftSource: Sendable {
    /// The path that messages and `#sourceLocation` name.
    package let path: String
    package let text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// Reads a file.
    ///
    /// - Throws: `CocoaError` if the file can't be read or is no UTF-8.
    package init(contentsOf url: URL) throws {
        let data = try Data(contentsOf: url)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CocoaError(
                .fileReadInapplicableStringEncoding,
                userInfo: [
                    NSFilePathErrorKey: url.path,
                    NSLocalizedDescriptionKey: "\(url.path): the source file is not valid UTF-8. Save it as UTF-8.",
                ])
        }
        self.init(path: url.path, text: text)
    }

    /// The file's name without folder.
    package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether the file can have anything that needs preparation: a cheap look at the text.
    package var mentionsManagedObjects: Bool {
        text.contains("NSManaged") || text.contains("@objc") || text.contains("#keyPath") || text.contains("#selector")
    }
}

/// The sources of a module that the prepared one imports; they are read only where a type is sought.
package struct DependencySources: Sendable {
    package let module: String
    package let sources: [SwiftSource]

    package init(module: String, sources: [SwiftSource]) {
        self.module = module
        self.sources = sources
    }
}
