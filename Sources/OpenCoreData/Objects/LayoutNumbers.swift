import Synchronization

/// The next free layout number. Numbers are never used again, so a cached position can't meet another entity's objects.
enum LayoutNumbers {
    static let lock = Mutex<UInt32>(1)
}
