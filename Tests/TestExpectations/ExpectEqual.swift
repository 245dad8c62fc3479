import Testing

/// Expects that two values are equal: `#expect(actual == expected)`, as a function.
///
/// The compiler needs 3 milliseconds for a call of a function and over 20 for an expansion of the macro, which shows no
/// more than both values here. Where the macro shows parts of an expression, use the macro.
///
/// - Parameters:
///   - actual: the value that the test has got.
///   - expected: the value that it should be.
///   - comment: a text for the failure.
public func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    if actual == expected { return }
    let comment = comment().map { "\n\($0.rawValue)" } ?? ""
    Issue.record(
        "Expectation failed: \(text(actual)) == \(text(expected))\(comment)",
        sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// A value as in a source: a text with quotes, and what is in an optional.
private func text<Value>(_ value: Value) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.map { text($0.value) } ?? "nil" }
    return value is String || value is Substring ? String(reflecting: value) : String(describing: value)
}
