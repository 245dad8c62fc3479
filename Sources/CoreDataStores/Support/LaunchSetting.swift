// SPDX-License-Identifier: Apache-2.0

/// A launch setting, found as Apple's frameworks do: `-NAME VALUE` among the arguments, else the user default NAME,
/// else the environment variable NAME.
package enum LaunchSetting {
    /// `-com.apple.CoreData.ConcurrencyDebug 1`.
    package static let checksConcurrency = isOn("com.apple.CoreData.ConcurrencyDebug")

    /// The setting's text; nil if it isn't set.
    static func text(
        _ name: String, arguments: [String] = OperatingSystem.arguments,
        environment: [String: String] = OperatingSystem.environment
    ) -> String? {
        if let index = arguments.lastIndex(of: "-\(name)"), index + 1 < arguments.count { return arguments[index + 1] }
        return UserDefaults.standard.string(forKey: name) ?? environment[name]
    }

    /// Whether the setting is a number other than 0, or one of the words yes, true, y and t.
    package static func isOn(_ name: String) -> Bool {
        guard let text = text(name)?.trimmingCharacters(in: .whitespaces).lowercased() else { return false }
        if let number = Int(text) { return number != 0 }
        return ["yes", "true", "y", "t"].contains(text)
    }
}
