@testable import OpenCoreData

extension NSPersistentStoreCoordinator {
    /// Lets no more blocks run at once than there are connections, however long they last.
    ///
    /// Otherwise one more begins when none has ended for a while, since a block may wait for one that hasn't begun.
    func keepLimitOfBlocks() { blocks.patience = .seconds(3_600) }
}
