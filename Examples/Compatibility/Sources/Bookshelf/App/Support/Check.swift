// This file is plain Swift.

/// The number of failed checks.
var failures = 0

func check(_ condition: @autoclosure () throws -> Bool, _ what: String, line: Int = #line) {
    let isRight: Bool
    do { isRight = try condition() } catch {
        print("  error: \(error)")
        isRight = false
    }
    print(isRight ? "  ✓ \(what)" : "  ✗ \(what) (line \(line))")
    if !isRight { failures += 1 }
}
