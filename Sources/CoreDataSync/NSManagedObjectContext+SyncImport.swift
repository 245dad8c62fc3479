// SPDX-License-Identifier: Apache-2.0

import CoreData

extension NSManagedObjectContext {
    static let syncImportKey = "CoreDataSync.isImport"

    /// Whether the context saves what a server has sent. A class whose `willSave` or setter changes other values of an
    /// object asks this, and leaves values alone that the server has already.
    ///
    /// May be read on any thread.
    public var isSyncImport: Bool { (userInfo[Self.syncImportKey] as? NSNumber)?.boolValue ?? false }
}
