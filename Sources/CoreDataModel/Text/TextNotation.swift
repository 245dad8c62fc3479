// SPDX-License-Identifier: Apache-2.0

/// The text notation of models, `.coredata`: a concise source format for writing by hand, reviews and merges.
/// `Guides/TextNotation.md` in the documentation catalog contains the grammar.
package enum TextNotation {
    /// The extension of files in the text notation.
    package static let fileExtension = "coredata"

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - data: the file's bytes, UTF-8.
    ///   - url: the file, for messages.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` (259) with file, line and column, and with entity and key if they
    ///   are known. The message says what was expected.
    package static func read(_ data: Data, from url: URL) throws -> NSManagedObjectModel {
        try SourceModelReader.read(try element(data, from: url), from: url, format: .textNotation)
    }

    /// The text of a model. It is read as an equal model, which has the same text.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` (512) with entity and key for values without a text form, such as
    ///   objects of the program's classes.
    package static func text(of model: NSManagedObjectModel) throws -> String {
        TextNotationWriter.text(try SourceModelWriter.element(of: model, for: .textNotation))
    }

    /// Writes the file of a model atomically.
    ///
    /// - Throws: `CocoaError(.fileWriteUnknown)` (512) as `text(of:)` does, and the file system's errors.
    package static func write(_ model: NSManagedObjectModel, to url: URL) throws {
        try Data(text(of: model).utf8).write(to: url, options: .atomic)
    }

    /// The source elements of a text.
    package static func element(_ data: Data, from url: URL) throws -> SourceElement {
        let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data[...]
        var parser = TextNotationParser(bytes: Array(bytes))
        do {
            return try parser.model()
        } catch {
            throw ModelFileError.corrupt(
                url, error.message, entity: parser.entityName, key: parser.key, line: error.line, column: error.column)
        }
    }
}

/// A syntax error with its position.
struct TextNotationError: Error {
    let message: String
    let line: Int
    let column: Int
}
