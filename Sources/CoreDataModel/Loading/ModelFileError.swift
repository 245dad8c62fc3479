// SPDX-License-Identifier: Apache-2.0

/// The errors of reading and writing model files. Each names the file, and the entity and key if they are known.
package enum ModelFileError {
    /// The user info key of the entity's name.
    package static let entityKey = "entity"
    /// The user info key of the property, configuration or attribute concerned.
    package static let keyKey = "key"
    /// The user info key of the line in the file, a number.
    static let lineKey = "line"
    /// The user info key of the column in the line, a number.
    static let columnKey = "column"

    /// The content of the file is not a valid model (`NSFileReadCorruptFileError`, 259).
    package static func corrupt(
        _ url: URL, _ reason: String, entity: String? = nil, key: String? = nil, line: Int? = nil, column: Int? = nil
    ) -> CocoaError {
        // A reason that contains the line gets no second one.
        let columnText = column.map { ", column \($0)" } ?? ""
        let location = line.flatMap { reason.contains("line \($0)") ? nil : " (line \($0)\(columnText))" } ?? ""
        return error(
            .fileReadCorruptFile, url, "The model file “\(url.path)” can't be read: \(reason)\(location)",
            reason: reason,
            entity: entity,
            key: key, line: line, column: column)
    }

    /// The file doesn't exist (`NSFileReadNoSuchFileError`, 260).
    package static func missing(_ url: URL) -> CocoaError {
        let message = "The model file “\(url.path)” doesn't exist."
        return error(.fileReadNoSuchFile, url, message, reason: message)
    }

    /// The file exists but can't be read (`NSFileReadUnknownError`, 256, or Foundation's code).
    static func unreadable(_ url: URL, underlying: any Error) -> CocoaError {
        let code = (underlying as? CocoaError)?.code ?? .fileReadUnknown
        let reason = CoreDataErrors.reason(of: underlying)
        return error(
            code, url, "The model file “\(url.path)” can't be read: \(reason)", reason: reason, underlying: underlying)
    }

    /// The file format can't represent a part of the model (`NSFileWriteUnknownError`, 512).
    static func notExpressible(_ reason: String, entity: String?, key: String?) -> CocoaError {
        error(
            .fileWriteUnknown, nil, "The model can't be written as a source model: \(reason)",
            reason: "it can't be written as a source model: \(reason)", entity: entity, key: key)
    }

    private static func error(
        _ code: CocoaError.Code, _ url: URL?, _ message: String, reason: String, entity: String? = nil,
        key: String? = nil,
        line: Int? = nil, column: Int? = nil, underlying: (any Error)? = nil
    ) -> CocoaError {
        var userInfo: [String: Any] = [:]
        if let url {
            userInfo[NSFilePathErrorKey] = url.path
            userInfo[NSURLErrorKey] = url
        }
        if let line { userInfo[lineKey] = NSNumber(value: line) }
        if let column { userInfo[columnKey] = NSNumber(value: column) }
        if let entity { userInfo[entityKey] = entity }
        if let key { userInfo[keyKey] = key }
        if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
        return CoreDataErrors.cocoaError(code, message: message, reason: reason, userInfo: userInfo)
    }
}
