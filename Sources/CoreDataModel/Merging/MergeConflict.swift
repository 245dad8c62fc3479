// SPDX-License-Identifier: Apache-2.0

/// Two models that can't be merged, because they contain different entities or templates of one name.
struct MergeConflict: Error, CustomStringConvertible {
    /// The kind of the conflicting parts.
    enum Kind: String {
        case entities
        case templates = "fetch request templates"
    }

    let kind: Kind
    let name: String
    let first: ModelOrigin
    let second: ModelOrigin
    /// The first difference as text.
    let difference: String
    /// Whether one of the entities is a placeholder, which stands for an entity of another model.
    var involvesPlaceholder = false

    /// Apple's message, the origins of both, their difference, and the remedy.
    var description: String {
        "Can't merge models with two different \(kind.rawValue) named '\(name)': \(reason) \(remedy)"
    }

    private var reason: String { "one is of \(first.text), one of \(second.text), and \(difference)." }

    /// The conflict as a Cocoa error (`NSCoreDataError`, 134060) that names the entity and the files.
    var error: CocoaError {
        var userInfo: [String: Any] = [
            kind == .templates ? ModelFileError.keyKey : ModelFileError.entityKey: name
        ]
        if let file = second.file ?? first.file {
            userInfo[NSFilePathErrorKey] = file.path
            userInfo[NSURLErrorKey] = file
        }
        return CoreDataErrors.cocoaError(
            CocoaError.Code(rawValue: 134060), message: description, reason: reason, suggestion: remedy,
            userInfo: userInfo)
    }

    private var remedy: String {
        if involvesPlaceholder {
            return
                """
                One is a placeholder (IsPlaceholder in its user info): copy the entities that are none into a new \
                model by hand.
                """
        }
        let byHand = "Copy the entities that are wanted into a new model by hand."
        guard let left = first.file, let right = second.file,
            left.deletingLastPathComponent().standardizedFileURL
                == right.deletingLastPathComponent().standardizedFileURL
        else { return byHand }
        return
            """
            Both files are in one folder. If a model was renamed, \
            \(Self.outdatedFile(left, right).lastPathComponent) is probably the old file, left by an earlier build: \
            remove it. Otherwise: 
            """ + byHand
    }

    /// The compiled file beside a source; otherwise the file that was written first.
    private static func outdatedFile(_ left: URL, _ right: URL) -> URL {
        let compiled = [left, right].filter { ModelSearch.compiledExtensions.contains($0.pathExtension) }
        if compiled.count == 1 { return compiled[0] }
        return lastModificationDate(left) <= lastModificationDate(right) ? left : right
    }

    /// The modification date of a file; for a folder the latest date of its files.
    private static func lastModificationDate(_ url: URL) -> Date {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return ([url] + files.map(url.appendingPathComponent)).reduce(.distantPast) { latest, file in
            max(
                latest,
                (try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date)
                    ?? .distantPast)
        }
    }
}

/// The origin of a model, for messages.
struct ModelOrigin {
    let file: URL?
    let text: String

    init(_ model: NSManagedObjectModel) {
        file = model.origin
        if let file {
            text = "the model in \(file.path)"
            return
        }
        let identifiers = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
        if !identifiers.isEmpty {
            text = "the model with version identifier '\(identifiers.joined(separator: "', '"))'"
            return
        }
        let names = model.entities.compactMap(\.name)
        let some = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", …" : "")
        text = "a model made in code (entities: \(some))"
    }
}
