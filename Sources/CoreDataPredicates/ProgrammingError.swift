/// Stops the program at a mistake of the programmer's: `message` says what was wrong, where, and how to mend it.
package func programmingError(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}
