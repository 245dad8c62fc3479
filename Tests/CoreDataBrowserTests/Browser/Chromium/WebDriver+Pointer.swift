import CoreData

extension WebDriver {
    /// The point in the window at the middle of an element.
    private func middle(of selector: String) async throws -> (x: Int, y: Int) {
        let text = try await value(
            """
            const element = document.querySelector("\(selector)");
            element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
            const box = element?.getBoundingClientRect();
            return box && `${Math.round(box.x + box.width / 2)} ${Math.round(box.y + box.height / 2)}`
            """)
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else { throw TestFailure("no element \(selector)") }
        return (numbers[0], numbers[1])
    }

    /// Drags an element to another one.
    func drag(_ selector: String, to target: String) async throws {
        let end = try await middle(of: target)
        try await drag(from: middle(of: selector), to: end)
    }

    /// Drags an element by a distance.
    func drag(_ selector: String, byX x: Int, y: Int) async throws {
        let start = try await middle(of: selector)
        try await drag(from: start, to: (start.x + x, start.y + y))
    }

    private func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) async throws {
        func move(_ x: Int, _ y: Int) -> [String: Any] {
            ["type": "pointerMove", "duration": 20, "x": x, "y": y, "origin": "viewport"]
        }
        let actions: [[String: Any]] = [
            move(start.x, start.y), ["type": "pointerDown", "button": 0],
            move((start.x + end.x) / 2, (start.y + end.y) / 2), move(end.x, end.y), ["type": "pointerUp", "button": 0],
        ]
        let source: [String: Any] = [
            "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"], "actions": actions,
        ]
        try await perform([source])
    }

    /// Presses a key while another one is down.
    func type(_ key: String, holding modifier: String) async throws {
        let actions = [
            ["type": "keyDown", "value": modifier], ["type": "keyDown", "value": key],
            ["type": "keyUp", "value": key], ["type": "keyUp", "value": modifier],
        ]
        try await perform([["type": "key", "id": "keyboard", "actions": actions]])
    }

    /// Replaces the text of a field, and leaves it by the tabulator key.
    func fill(_ selector: String, _ text: String) async throws {
        _ = try await value(
            """
            const field = document.querySelector("\(selector)");
            if (!field) return false;
            field.focus();
            field.select?.();
            return document.activeElement === field
            """)
        try await type(text.isEmpty ? "\u{e017}\u{e004}" : text + "\u{e004}")
    }

    /// Chooses an option as a person does.
    func choose(_ selector: String, _ option: String) async throws {
        _ = try await value(
            """
            const list = document.querySelector("\(selector)");
            if (!list) return false;
            list.focus();
            list.value = "\(option)";
            list.dispatchEvent(new Event('change', { bubbles: true }));
            return 'done'
            """)
    }

    /// The size and the colours of the window.
    func show(width: Int, height: Int, isDark: Bool) async throws {
        try await develop(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
        let scheme = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        try await develop("Emulation.setEmulatedMedia", ["features": [scheme]])
    }
}
