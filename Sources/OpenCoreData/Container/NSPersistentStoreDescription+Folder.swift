// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreDescription {
    /// Creates the folder of the store if it is missing, as Apple's containers do. A coordinator alone doesn't.
    ///
    /// - Throws: the code of the file error in `NSCocoaErrorDomain`, with the folder.
    package final func createFolder() throws {
        guard !isReadOnly, let url, url.isFileURL, !OperatingSystem.isNullDevice(url.path) else { return }
        let folder = OperatingSystem.folder(of: url.path)
        guard OperatingSystem.fileKind(at: folder) == .missing else { return }
        do {
            try OperatingSystem.createFolder(folder)
        } catch let error as NSError {
            let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
            throw CoreDataErrors.error(
                error.code, "The store \(url.path) can\u{2019}t be opened.",
                reason: "Its folder \(folder) can\u{2019}t be created: \(cause.localizedDescription)",
                suggestion: "Choose a folder in which this program may write.",
                userInfo: [NSFilePathErrorKey: folder, NSUnderlyingErrorKey: cause])
        }
    }
}
