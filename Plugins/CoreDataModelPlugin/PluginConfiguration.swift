// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file `coredata-plugin.json` in a target's folder: what the plugin leaves out.
///
/// ```json
/// { "exclude": ["Mac", "Screens/Window.swift", "Old.xcdatamodeld"] }
/// ```
struct PluginConfiguration {
    static let fileName = "coredata-plugin.json"

    /// The file; nil if the target has none.
    let url: URL?
    /// The text of the file, which momc compares with the file of the time of its run.
    let text: String
    private let excludedPaths: Set<String>

    private struct Contents: Decodable {
        let exclude: [String]

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            if let unknown = container.allKeys.first(where: { $0.stringValue != "exclude" }) {
                throw ConfigurationError("the key '\(unknown.stringValue)' is unknown: the only key is 'exclude'")
            }
            exclude = try container.decodeIfPresent([String].self, forKey: Key(stringValue: "exclude")) ?? []
        }
    }

    private struct ConfigurationError: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// - Parameter folder: the target's folder.
    /// - Throws: an error that names the file, if it can't be read, has unknown keys, or names a missing path.
    init(inFolder folder: URL) throws {
        let file = folder.appending(path: Self.fileName, directoryHint: .notDirectory)
        guard FileManager.default.fileExists(atPath: file.path) else {
            url = nil
            text = ""
            excludedPaths = []
            return
        }
        do {
            let data = try Data(contentsOf: file)
            let paths = try JSONDecoder().decode(Contents.self, from: data).exclude.map {
                folder.appending(path: $0, directoryHint: .notDirectory).standardizedFileURL.path
            }
            if let missing = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
                throw ConfigurationError("'exclude' names \(missing), which does not exist")
            }
            url = file
            text = String(decoding: data, as: UTF8.self)
            excludedPaths = Set(paths)
        } catch {
            throw ConfigurationError("\(file.path):1:1: error: \(Self.reason(of: error))")
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let error as ConfigurationError: error.description
        case DecodingError.dataCorrupted: "it is not valid JSON"
        case is DecodingError: "'exclude' must be a list of paths in the target's folder"
        default: error.localizedDescription
        }
    }

    /// Whether a file, a folder or a model is left out.
    func excludes(_ url: URL) -> Bool { excludedPaths.contains(url.standardizedFileURL.path) }
}
