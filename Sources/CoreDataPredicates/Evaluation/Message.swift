/// Messages that `FUNCTION(target, "selector", …)` may send. There is no Objective-C runtime, so these are the ones
/// known.
package enum Message {
    /// Whether a value answers a message, rather than stop the program.
    package static func isAnswered(by target: Any?, _ selector: String, _ arguments: [Any?]) -> Bool {
        guard let target = Values.unwrap(target) else { return arguments.isEmpty || selector.hasPrefix("valueForKey") }
        switch (selector, arguments.count) {
        case ("valueForKeyPath:", 1), ("valueForKey:", 1):
            guard let key = arguments[0] as? String else { return true }
            return target is NSDictionary && !key.contains(".")
                || target is String && KeyPathWalk.keysOfStrings.contains(key)
        case ("isEqual:", 1), ("stringByAppendingString:", 1), ("dateByAddingTimeInterval:", 1),
            ("timeIntervalSinceDate:", 1),
            ("timeIntervalSinceReferenceDate", 0):
            return true
        case (_, 0):
            return target is String && KeyPathWalk.keysOfStrings.contains(selector)
        default:
            return false
        }
    }

    static func send(_ selector: String, to target: Any?, arguments: [Any?]) -> Any? {
        guard let target = Values.unwrap(target) else {
            // Counting what isn't there gives 0, as in a key path.
            guard selector == "valueForKeyPath:", let path = arguments.first as? String else { return nil }
            return KeyPathWalk.value(of: nil, path: KeyPathWalk.split(path)[...])
        }
        switch (selector, arguments.count) {
        case ("valueForKeyPath:", 1), ("valueForKey:", 1):
            guard let path = arguments[0] as? String else { return nil }
            let keys = selector == "valueForKey:" ? [path] : KeyPathWalk.split(path)
            return KeyPathWalk.value(of: target, path: keys[...])
        case ("isEqual:", 1):
            return NSNumber(value: Values.equal(target, arguments[0]))
        case ("stringByAppendingString:", 1):
            guard let string = target as? String, let suffix = arguments[0] as? String else { return nil }
            return string + suffix
        case ("dateByAddingTimeInterval:", 1):
            guard let date = target as? Date, let interval = Numbers.number(arguments[0]) else { return nil }
            return date.addingTimeInterval(interval.doubleValue)
        case ("timeIntervalSinceDate:", 1):
            guard let date = target as? Date, let other = arguments[0] as? Date else { return nil }
            return NSNumber(value: date.timeIntervalSince(other))
        case ("timeIntervalSinceReferenceDate", 0):
            return (target as? Date).map { NSNumber(value: $0.timeIntervalSinceReferenceDate) }
        case (_, 0):
            return KeyPathWalk.value(of: target, key: selector)
        default:
            programmingError(
                """
                FUNCTION can't send "\(selector)" with \(arguments.count) arguments to a \(type(of: target)). \
                Use valueForKeyPath:, a property's name, or an NSExpression with a block.
                """)
        }
    }
}
