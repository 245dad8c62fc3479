// SPDX-License-Identifier: Apache-2.0

/// An object that adds methods to the ones that `FUNCTION(target, "selector", …)` can call by ``Message``.
package protocol MessageReceiving: AnyObject {
    /// Calls a method.
    ///
    /// An expression can't throw, so the receiver keeps the error of a method that fails.
    ///
    /// - Parameters:
    ///   - selector: the name of the method.
    ///   - arguments: its arguments.
    /// - Returns: the result; nil if the receiver has no such method.
    func perform(_ selector: String, with arguments: [Any?]) -> Any??
}

/// The messages that `FUNCTION(target, "selector", …)` can send. Without an Objective-C runtime the list is fixed.
package enum Message {
    /// Whether ``send(_:to:arguments:)`` supports the message. It stops the program at other messages.
    package static func isSupported(by target: Any?, _ selector: String, _ arguments: [Any?]) -> Bool {
        guard let target = Values.unwrap(target) else { return arguments.isEmpty || selector.hasPrefix("valueForKey") }
        if target is any MessageReceiving { return true }
        switch (selector, arguments.count) {
        case ("valueForKeyPath:", 1), ("valueForKey:", 1):
            guard let key = arguments[0] as? String else { return true }
            return target is NSDictionary && !key.contains(".")
                || target is String && KeyPathEvaluation.stringKeys.contains(key)
        case ("isEqual:", 1), ("stringByAppendingString:", 1), ("dateByAddingTimeInterval:", 1),
            ("timeIntervalSinceDate:", 1),
            ("timeIntervalSinceReferenceDate", 0):
            return true
        case (_, 0):
            return target is String && KeyPathEvaluation.stringKeys.contains(selector)
        default:
            return false
        }
    }

    static func send(_ selector: String, to target: Any?, arguments: [Any?]) -> Any? {
        guard let target = Values.unwrap(target) else {
            // The count of nil is 0, as in a key path.
            guard selector == "valueForKeyPath:", let path = arguments.first as? String else { return nil }
            return KeyPathEvaluation.value(of: nil, path: KeyPathEvaluation.split(path)[...])
        }
        if let receiver = target as? any MessageReceiving, let result = receiver.perform(selector, with: arguments) {
            return result
        }
        switch (selector, arguments.count) {
        case ("valueForKeyPath:", 1), ("valueForKey:", 1):
            guard let path = arguments[0] as? String else { return nil }
            let keys = selector == "valueForKey:" ? [path] : KeyPathEvaluation.split(path)
            return KeyPathEvaluation.value(of: target, path: keys[...])
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
            return KeyPathEvaluation.value(of: target, key: selector)
        default:
            programmingError(
                """
                FUNCTION can't send "\(selector)" with \(Wording.count(arguments.count, "argument")) to \
                \(Wording.withArticle(type(of: target))). Use valueForKeyPath:, a property's name, or an \
                NSExpression with a block.
                """)
        }
    }
}
