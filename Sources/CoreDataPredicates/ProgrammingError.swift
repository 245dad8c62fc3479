// SPDX-License-Identifier: Apache-2.0

/// Stops the program for a programmer's mistake that Apple's frameworks answer with an exception.
///
/// - Parameters:
///   - message: what is wrong, with the names of entities and keys.
///   - remedy: what to do about it; nil if the message says so.
package func programmingError(
    _ message: String, remedy: String? = nil, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError(remedy.map { "\(message) \($0)" } ?? message, file: file, line: line)
}
