// SPDX-License-Identifier: Apache-2.0

import OpenCoreData

/// Writes files completely or not at all.
enum DurableFile {
    /// Writes a file in one step. Folders on its path are made.
    ///
    /// - Throws: `CommandError` with the file and the reason; the old file is as it was then.
    static func write(_ data: Data, to file: URL) throws {
        // A link stays a link to the file that changes.
        let target = file.resolvingSymlinksInPath()
        let folder = target.deletingLastPathComponent()
        let temporary = folder.appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do {
                try OperatingSystem.createDurableFile(
                    temporary.path, contents: data, permissionsOf: target.path)
                try OperatingSystem.renameDurably(temporary.path, to: target.path)
            } catch {
                try? FileManager.default.removeItem(at: temporary)
                throw error
            }
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
            throw CommandError(
                "\(file.path) can't be written: \(cause.localizedDescription) The old file is unchanged.")
        }
    }
}
