// SPDX-License-Identifier: Apache-2.0

extension SQLiteConnection {
    /// The number of pages that one transaction moves. Other writers wait for it a few milliseconds.
    private static let pagesInOneTransaction = 1000
    /// Fewer free pages are left for later rows.
    private static let fewPages: Int64 = 256

    /// Gives free pages of the file back to the volume, if there are many.
    ///
    /// Pages from the end of the file move into free ones, by incremental vacuum. An error costs nothing but space: the
    /// rest stays free, and later rows use it.
    func giveBackFreePages() {
        guard hasManyFreePages else { return }
        MigrationLog.step("\(path): giving free pages back") { while giveBackSomeFreePages() {} }
    }

    /// Whether more than a tenth of the file is free, as after a migration that has written tables again, and can be
    /// given back.
    ///
    /// A file without incremental vacuum (`auto_vacuum` is 0, as other programs may have made it) would have to be
    /// written again as a whole, which `NSSQLiteManualVacuumOption` does.
    var hasManyFreePages: Bool {
        guard (try? pragma("auto_vacuum")) == "2", let free = freePageCount,
            let all = (try? pragma("page_count")).flatMap({ Int64($0) })
        else { return false }
        return free > Self.fewPages && free > all / 10
    }

    /// Gives some free pages back, in one transaction.
    ///
    /// - Returns: whether there are more.
    func giveBackSomeFreePages() -> Bool {
        guard let before = freePageCount, before > 0,
            (try? setPragma("incremental_vacuum", "\(Self.pagesInOneTransaction)")) != nil,
            let after = freePageCount
        else { return false }
        return after > 0 && after < before
    }

    private var freePageCount: Int64? { (try? pragma("freelist_count")).flatMap { Int64($0) } }
}
