// SPDX-License-Identifier: Apache-2.0

/// The strings file of a model: `NameModel.strings` for `Name.mom`, in the localization folders beside the model.
enum LocalizationFile {
    /// Reads the strings file of a model.
    ///
    /// - Returns: nil if the model has no strings file.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with the file if it can't be read.
    static func dictionary(forModelAt url: URL) throws -> [String: String]? {
        for candidate in candidates(of: url) {
            let fileName = candidate.deletingPathExtension().lastPathComponent + "Model.strings"
            let folder = candidate.deletingLastPathComponent()
            for file in (localizationFolders(in: folder) + [folder]).map({ $0.appendingPathComponent(fileName) })
            where FileManager.default.fileExists(atPath: file.path) {
                return try StringsFileReader.read(try ModelFile.contents(of: file), from: file)
            }
        }
        return nil
    }

    /// The model itself. For a version in a bundle also the bundle: the strings file is beside the bundle and has its
    /// name.
    private static func candidates(of url: URL) -> [URL] {
        let folder = url.deletingLastPathComponent()
        return ["momd", "xcdatamodeld"].contains(folder.pathExtension) ? [folder, url] : [url]
    }

    /// The `.lproj` folders: first the user's languages, each with its region and without, then the development
    /// languages, then all other languages. The comparison of their names ignores case, because SwiftPM writes them in
    /// lower case.
    private static func localizationFolders(in folder: URL) -> [URL] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
            $0.hasSuffix(".lproj")
        }.sorted()
        var preferred: [String] = []
        for language in Locale.preferredLanguages.map(normalized) {
            var parts = language.split(separator: "-")
            while !parts.isEmpty {
                preferred.append(parts.joined(separator: "-"))
                parts.removeLast()
            }
        }
        preferred += ["base", "en", "english"]
        let rank = Dictionary(preferred.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
        return names.map { (rank: rank[normalized(String($0.dropLast(6)))] ?? .max, name: $0) }
            .sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
            .map { folder.appendingPathComponent($0.name) }
    }

    private static func normalized(_ language: String) -> String {
        language.lowercased().replacingOccurrences(of: "_", with: "-")
    }
}
