import Testing

// Functions in place of `#expect` and `#require`, of which the compiler needs 20 milliseconds to expand each. They
// record the same: values, comment, file and line. Use the macros where they show parts of an expression, for errors,
// and for programs that end.

/// Expects that two values are equal: `#expect(actual == expected)`.
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
    record(
        "\(text(actual)) == \(text(expected))", comment(),
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects that a condition holds: `#expect(condition)`.
public func expectTrue(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    if condition { return }
    record(
        "the condition is false", comment(),
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects that a condition doesn't hold: `#expect(!condition)`.
public func expectFalse(
    _ condition: Bool, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    if !condition { return }
    record(
        "the condition is true", comment(),
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects a collection without elements: `#expect(collection.isEmpty)`.
public func expectEmpty<Elements: Collection>(
    _ collection: Elements, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    if collection.isEmpty { return }
    record(
        "\(text(collection)) is empty", comment(),
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects an element in a sequence: `#expect(elements.contains(element))`.
public func expectContains<Elements: Sequence>(
    _ elements: Elements, _ element: Elements.Element, _ comment: @autoclosure () -> Comment? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) where Elements.Element: Equatable {
    if elements.contains(element) { return }
    record(
        "\(text(elements)) contains \(text(element))", comment(),
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// Expects a part in a text: `#expect(whole.contains(part))`.
public func expectContains<Text: StringProtocol>(
    _ whole: Text, _ part: String, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    if whole.contains(part) { return }
    record(
        "\(text(whole)) contains \(text(part))", comment(),
        SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}

/// The value of an optional: `try #require(optional)`.
///
/// - Throws: ``MissingValue`` if it is nil. The failure is recorded.
@discardableResult
public func requireValue<Value>(
    _ optional: Value?, _ comment: @autoclosure () -> Comment? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
) throws -> Value {
    if let optional { return optional }
    let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    record("the \(Value.self) is nil", comment(), location)
    throw MissingValue(location: location)
}

/// A condition is no optional: without this declaration the function above would accept each of them.
@available(*, unavailable, message: "Use try #require(condition).")
public func requireValue(_ condition: Bool, _ comment: @autoclosure () -> Comment? = nil) throws {}

/// Ends a test whose value is missing.
public struct MissingValue: Error, CustomStringConvertible {
    let location: SourceLocation
    public var description: String { "the value at \(location) is missing" }
}

private func record(_ expectation: String, _ comment: Comment?, _ location: SourceLocation) {
    let comment = comment.map { "\n\($0.rawValue)" } ?? ""
    Issue.record("Expectation failed: \(expectation)\(comment)", sourceLocation: location)
}

/// A value as in a source: a text with quotes, and what is in an optional.
private func text<Value>(_ value: Value) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.map { text($0.value) } ?? "nil" }
    return value is String || value is Substring ? String(reflecting: value) : String(describing: value)
}
