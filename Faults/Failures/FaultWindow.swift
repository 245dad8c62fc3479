import FailingCalls
import OpenCoreData

/// The calls that fail in a loop over failures.
enum FailureKind: String, CaseIterable {
    /// One call on a file fails with EIO.
    case once
    /// One call on a file, and each one after it, fails with EIO.
    case from
    /// The disk is full from one call on.
    case full
    /// One allocation of SQLite fails.
    case memory

    var code: failing_calls_kind {
        switch self {
        case .once: failing_calls_once
        case .from: failing_calls_from
        case .full: failing_calls_full
        case .memory: failing_calls_memory
        }
    }
}

/// The part of an operation in which one call fails.
final class FaultWindow {
    /// The kind of the failure, and the number of the call that fails; nil if all calls succeed.
    let failure: (kind: FailureKind, number: Int)?
    private let folder: URL
    /// The number of calls that have failed.
    private(set) var failedCount = 0
    /// The first call that has failed, and its file.
    private(set) var description = ""
    /// Whether the operation has repeated what failed, as its caller would, and has succeeded.
    var isRepeated = false

    init(_ failure: (kind: FailureKind, number: Int)?, folder: URL) {
        self.failure = failure
        self.folder = folder
    }

    func during<Result>(_ body: () throws -> Result) throws -> Result {
        guard let failure else { return try body() }
        failing_calls_begin(failure.kind.code, failure.number, folder.path)
        defer {
            failedCount += failing_calls_end()
            if description.isEmpty { description = String(cString: failing_calls_description()) }
        }
        return try body()
    }

    /// Records what failed in another process: the first call, or an empty text.
    func failedElsewhere(_ call: String) {
        description = call
        failedCount = call.isEmpty ? 0 : 1
    }
}
