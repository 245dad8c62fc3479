/// The text notation of models, `.coredata`: terse, made to be written by hand, reviewed and merged.
/// `Documentation/TextNotation.md` is its grammar.
package enum TextNotation {
    /// The extension of files in the notation.
    package static let fileExtension = "coredata"

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - data: the file's bytes, UTF-8.
    ///   - url: the file, for messages.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` with file, line and column, and entity and key where there are any,
    ///   that says what was expected.
    package static func read(_ data: Data, from url: URL) throws -> NSManagedObjectModel {
        try SourceModelReader.read(try element(data, from: url), from: url, dialect: .notation)
    }

    /// The text of a model. It gives an equal model when it is read, and the same text when that is written.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` naming entity and key for values that have no text (objects of a
    ///   program's own classes).
    package static func text(of model: NSManagedObjectModel) throws -> String {
        NotationWriter.text(try SourceModelWriter.element(of: model, for: .notation))
    }

    /// Writes the file of a model, wholly or not at all.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` as `text(of:)` does, or what Foundation throws if the file can't be
    ///   written.
    package static func write(_ model: NSManagedObjectModel, to url: URL) throws {
        try Data(text(of: model).utf8).write(to: url, options: .atomic)
    }

    /// The source elements that a text stands for.
    static func element(_ data: Data, from url: URL) throws -> SourceElement {
        let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
        var parser = NotationParser(bytes: Array(bytes))
        do {
            return try parser.model()
        } catch {
            throw ModelFileError.corrupt(
                url, error.message, entity: parser.entityName, key: parser.key, line: error.line, column: error.column)
        }
    }
}

/// What is wrong in a text, and where.
struct NotationProblem: Error {
    let message: String
    let line: Int
    let column: Int
}
