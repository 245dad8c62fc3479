// SPDX-License-Identifier: Apache-2.0

extension NSPersistentStoreDescription {
    /// Creates the folder of the store if it is missing, as Apple's containers do. A coordinator alone doesn't.
    package final func createFolder() throws {
        guard !isReadOnly, let url, url.isFileURL, !OperatingSystem.isNullDevice(url.path) else { return }
        let folder = OperatingSystem.folder(of: url.path)
        if OperatingSystem.fileKind(at: folder) == .missing { try OperatingSystem.createFolder(folder) }
    }
}
