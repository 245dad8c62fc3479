/// How much a reader may still unfold of one archive. Archived values share their parts, so that a small file can stand
/// for more than any memory holds; everything that is read from one archive draws on one budget.
///
/// Not safe on several threads.
package final class KeyedArchiveBudget {
    private var remaining: Int

    package init(values: Int = 2_000_000) {
        remaining = values
    }

    package func spend(_ count: Int = 1) throws {
        remaining -= count
        guard remaining >= 0 else { throw keyedArchiveError("its values unfold without end") }
    }
}
