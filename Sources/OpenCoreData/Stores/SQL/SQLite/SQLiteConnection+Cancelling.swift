internal import CSQLite

extension SQLiteConnection {
    /// Runs a block whose statements end with `NSUserCancelledError` soon after the control was cancelled, even where
    /// they give no rows for long.
    func cancellable<Result>(_ control: FetchControl?, _ body: () throws -> Result) throws -> Result {
        guard let control else { return try body() }
        if control.isCancelled { throw FetchControl.cancelledError }
        // SQLite asks every so many of its instructions, some milliseconds apart. The control outlives the block.
        sqlite3_progress_handler(
            handle, 10_000,
            { Unmanaged<FetchControl>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
            Unmanaged.passUnretained(control).toOpaque())
        defer { sqlite3_progress_handler(handle, 0, nil, nil) }
        return try body()
    }
}
