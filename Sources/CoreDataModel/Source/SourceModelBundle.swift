// SPDX-License-Identifier: Apache-2.0

/// A versioned source model, `Name.xcdatamodeld`: a folder with one model per version, all in Xcode's form or all as
/// text.
package struct SourceModelBundle {
    /// One version of the model.
    package struct Version {
        /// The name of its folder or file without extension. The compiled bundle uses the same name.
        package let name: String
        /// The folder `Name.xcdatamodel`, or the file `Name.coredata`.
        package let url: URL
    }

    let url: URL
    /// All versions in the order of their names. Numbers in names are compared by value.
    package let versions: [Version]
    /// The current version: the version that the bundle names, or the only one. If `.xccurrentversion` names none, the
    /// version with the bundle's name.
    package let currentVersion: Version
    /// Whether `.xccurrentversion` names the current version.
    let namesCurrentVersion: Bool
    /// Whether the versions are texts. Xcode doesn't read such a bundle.
    let isText: Bool

    /// Lists the versions of a bundle.
    ///
    /// - Parameter url: the folder `Name.xcdatamodeld`.
    /// - Throws: `CocoaError` (259) with the file if there is no version, if only some versions are texts, or if the
    ///   current version can't be determined.
    package init(at url: URL) throws {
        let listing = try Listing(at: url)
        self.url = url
        versions = listing.versions
        isText = listing.isText
        let choice = try Self.choice(in: url)
        let named = versions.first { $0.url.lastPathComponent == choice?.fileName }
        namesCurrentVersion = named != nil
        let only = versions.count == 1 ? versions[0] : nil
        currentVersion = try named ?? only ?? Self.unnamedVersion(of: versions, choice, url)
    }

    /// The current version where `.xccurrentversion` doesn't name one of several versions.
    private static func unnamedVersion(of versions: [Version], _ choice: Choice?, _ url: URL) throws -> Version {
        let remedy = "Make one the current version: coredata model set-version."
        if let fileName = choice?.fileName {
            let names = versions.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ModelFileError.corrupt(
                url, "its current version '\(fileName)' is not in the folder, which has \(names). \(remedy)",
                key: fileName)
        }
        let bundleName = url.deletingPathExtension().lastPathComponent
        if choice != nil, let ofBundle = versions.first(where: { $0.name == bundleName }) { return ofBundle }
        throw ModelFileError.corrupt(
            url,
            "it contains \(versions.count) versions, but no \(currentVersionFile) that names the current one. \(remedy)"
        )
    }

    static let versionExtension = "xcdatamodel"
    static let versionExtensions = [versionExtension, TextNotation.fileExtension]

    /// The extension of the versions.
    ///
    /// - Parameter isText: whether they are texts.
    package static func versionExtension(isText: Bool) -> String {
        isText ? TextNotation.fileExtension : versionExtension
    }

    /// Whether a folder whose files have these names is a bundle of source versions. Other folders may have texts, too.
    static func isBundle(_ url: URL, _ names: [String]) -> Bool {
        if names.contains(currentVersionFile) { return true }
        let isNamedSo = url.pathExtension == versionExtension + "d"
        return names.contains { $0.hasSuffix("." + versionExtension) }
            || isNamedSo && names.contains { $0.hasSuffix("." + TextNotation.fileExtension) }
    }
    package static let currentVersionFile = ".xccurrentversion"

    /// The contents of `.xccurrentversion`.
    private struct Choice {
        /// The file name of the current version; nil if the file names none.
        let fileName: String?
    }

    /// The contents of `.xccurrentversion`; nil without that file.
    private static func choice(in url: URL) throws -> Choice? {
        let file = url.appendingPathComponent(currentVersionFile)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            let data = try ModelFile.contents(of: file)
            if data.isEmpty { return Choice(fileName: nil) }
            let list = try PropertyListReader.read(data)
            return Choice(fileName: list.dictionaryValue?["_XCCurrentVersionName"]?.stringValue)
        } catch {
            throw ModelFileError.corrupt(file, error.localizedDescription)
        }
    }
}

extension SourceModelBundle {
    /// The file that names the current version.
    ///
    /// - Parameters:
    ///   - name: the name of the version, without extension.
    ///   - isText: whether the versions are texts.
    package static func currentVersionData(_ name: String, isText: Bool = false) -> Data {
        let fileName = "\(name).\(versionExtension(isText: isText))"
        let escaped = fileName.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
        return Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>_XCCurrentVersionName</key>
            \t<string>\(escaped)</string>
            </dict>
            </plist>

            """.utf8)
    }
}
