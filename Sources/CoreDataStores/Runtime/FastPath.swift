// SPDX-License-Identifier: Apache-2.0

/// A faster way of doing what the library does in a plainer way where the fast one isn't available: on another
/// toolchain, or for other input. Both have the same results.
///
/// **Extension.** The environment variable `OPENCOREDATA_WITHOUT` switches them off, by their names separated by commas
/// or by `all`. `Scripts/test-plain.sh` runs the suites of behaviour without them, and
/// `Documentation/Architecture/Runtime.md` has what each of them gains.
package enum FastPath: String, CaseIterable, Sendable {
    /// ``SQLCompiledQueries``. Otherwise each query is translated.
    case compiledQueries
    /// `DeferredNotification`. Otherwise each notification gets its dictionary, with or without observers.
    case deferredNotifications
    /// ``NumberObjects``. Otherwise `NSNumber` makes the numbers.
    case numberObjects
    /// `SQLiteRowCollector`. Otherwise statements are stepped row by row.
    case rowCollector
    /// `SQLiteRowTable`. Otherwise a statement runs for each row.
    case rowTables
    /// `SetStorage` and `OrderedSetStorage`. Otherwise Foundation fills its sets.
    case setStorage
    /// `ProgramClasses`. Otherwise models find the classes that are registered or were used.
    case typeRecords

    package var isOn: Bool { !Self.switchedOff.contains(self) }

    private static let switchedOff = paths(in: OperatingSystem.environment["OPENCOREDATA_WITHOUT"] ?? "")

    /// The paths that a value of the variable names. A wrong name stops the program: a check without the paths that it
    /// is about would be worth nothing.
    static func paths(in text: String) -> Set<FastPath> {
        if text == "all" { return Set(allCases) }
        return Set(
            text.split(separator: ",").map { name in
                guard let path = FastPath(rawValue: String(name)) else {
                    let names = allCases.map(\.rawValue).joined(separator: ", ")
                    preconditionFailure(
                        "OPENCOREDATA_WITHOUT names “\(name)”, which doesn't exist. It takes: all, \(names).")
                }
                return path
            })
    }
}
