import Synchronization

/// Whether what one archive held may be evaluated: not until the program says so, since an archive may come from
/// anywhere.
///
/// Shared by all parts of the archive; safe on any thread.
final class EvaluationPermission: Sendable {
    private let isAllowed = Atomic<Bool>(false)

    func allow() { isAllowed.store(true, ordering: .releasing) }

    @inline(__always)
    func check(_ part: @autoclosure () -> String) {
        if !isAllowed.load(ordering: .acquiring) { refuse(part()) }
    }

    @inline(never)
    private func refuse(_ part: String) -> Never {
        programmingError(
            """
            \(part) comes out of an archive and may not be evaluated yet. Check it, and call allowEvaluation() or \
            allowEvaluation(validator:).
            """
        )
    }
}
