import Synchronization

/// Keys of objects that no store has yet: negative, unique in the process.
enum TemporaryKeys {
    private static let next = Atomic<Int64>(0)
    static let process = UUID().uuidString

    @inline(__always)
    static func make() -> Int64 { next.subtract(1, ordering: .relaxed).newValue }
}
