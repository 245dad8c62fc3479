// SPDX-License-Identifier: Apache-2.0

/// The errors of stores in files that are read and written as a whole. Each names the file under `NSFilePathErrorKey`.
package enum AtomicFileErrors {
    package enum Operation: String {
        case opening = "opened"
        case saving = "saved"
    }

    /// - Parameters:
    ///   - code: Apple's code.
    ///   - path: the path of the file.
    ///   - operation: what failed.
    ///   - reason: one or two sentences, with the file as the subject.
    ///   - suggestion: how to recover.
    ///   - userInfo: further entries.
    package static func error(
        _ code: Int, _ path: String, _ operation: Operation, reason: String, suggestion: String? = nil,
        userInfo: [String: Any] = [:]
    ) -> NSError {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return CoreDataErrors.error(
            code, "The store \u{201c}\(name)\u{201d} couldn\u{2019}t be \(operation.rawValue).", reason: reason,
            suggestion: suggestion,
            userInfo: [NSFilePathErrorKey: path, "reason": reason].merging(userInfo) { _, given in given })
    }

    /// The error of a file that isn't a store, or is damaged (259).
    package static func corrupt(_ path: String, _ reason: String) -> NSError {
        error(
            CocoaError.Code.fileReadCorruptFile.rawValue, path, .opening, reason: reason,
            suggestion: "Restore the file from a backup.")
    }

    /// The error of a failed call to the operating system.
    package static func error(_ failure: any Error, _ path: String, _ operation: Operation) -> NSError {
        let underlying = failure as NSError
        let code: Int
        if OperatingSystem.isOutOfSpace(underlying) {
            code = CocoaError.Code.fileWriteOutOfSpace.rawValue
        } else if underlying.domain == NSCocoaErrorDomain {
            code = underlying.code
        } else {
            code = (operation == .opening ? CocoaError.Code.fileReadUnknown : .fileWriteUnknown).rawValue
        }
        return error(
            code, path, operation, reason: CoreDataErrors.reason(of: underlying), suggestion: suggestion(for: code),
            userInfo: [NSUnderlyingErrorKey: underlying])
    }

    private static func suggestion(for code: Int) -> String {
        switch CocoaError.Code(rawValue: code) {
        case .fileWriteOutOfSpace: "Free space on the volume, and try again. The file is as it was."
        case .fileWriteVolumeReadOnly: "The volume is read-only: use another one, or open the store for reading."
        case .fileReadNoSuchFile, .fileNoSuchFile: "Check the URL, and that the folder exists."
        default: "Check the permissions of the file and its folder."
        }
    }
}
