// SPDX-License-Identifier: Apache-2.0

extension SourceModelBundle {
    /// The versions in the folder of a bundle, whichever is the current one.
    package struct Listing {
        /// All versions in the order of their names. Numbers in names are compared by value.
        package let versions: [Version]
        /// Whether the versions are texts.
        package let isText: Bool

        /// - Parameter url: the folder `Name.xcdatamodeld`.
        /// - Throws: `CocoaError` (259) with the file if there is no version, or if only some versions are texts.
        package init(at url: URL) throws {
            let entries: [URL]
            do {
                entries = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            } catch {
                throw ModelFileError.unreadable(url, underlying: error)
            }
            let extensions = Set(entries.map(\.pathExtension)).intersection(SourceModelBundle.versionExtensions)
            guard extensions.count < 2 else {
                throw ModelFileError.corrupt(
                    url,
                    """
                    it contains versions in Xcode\u{2019}s form (.\(SourceModelBundle.versionExtension)) and as text \
                    (.\(TextNotation.fileExtension)): keep one form, and convert the others by coredata model convert.
                    """)
            }
            isText = extensions.contains(TextNotation.fileExtension)
            versions = entries.filter { extensions.contains($0.pathExtension) }
                .map { Version(name: $0.deletingPathExtension().lastPathComponent, url: $0) }
                .sortedByVersionName(\.name)
            guard !versions.isEmpty else {
                throw ModelFileError.corrupt(
                    url,
                    """
                    the folder contains no version of a model (no .\(SourceModelBundle.versionExtension) folder, no \
                    .\(TextNotation.fileExtension) file).
                    """)
            }
        }

        /// The version with a name, with or without the extension.
        package func version(named name: String) -> Version? {
            versions.first { $0.name == name || $0.url.lastPathComponent == name }
        }
    }
}
