// SPDX-License-Identifier: Apache-2.0

import OpenCoreData
import Synchronization

/// A line on the terminal that shows how far the work is, if it takes more than a second. Without a terminal it shows
/// nothing.
///
/// Any thread may use it.
final class ProgressBar: Sendable {
    private struct State {
        /// The line that will be shown, or is.
        var wanted = ""
        /// The line that stands on the terminal.
        var current = ""
        var isDue = false
        var isCleared = false
    }

    private let isShown = StandardStreams.isErrorTerminal
    private let state = Mutex(State())

    private static let width = 40
    /// Shorter work shows nothing.
    private static let delay = DispatchTimeInterval.seconds(1)

    /// - Parameter text: the work, shown while nothing is known of its extent.
    init(_ text: String = "") {
        guard isShown else { return }
        if !text.isEmpty { state.withLock { $0.wanted = "\(TerminalText.visible(text)) \u{2026}" } }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.delay) { [weak self] in
            self?.state.withLock { state in
                state.isDue = true
                Self.update(&state)
            }
        }
    }

    /// Shows how far the work is.
    ///
    /// - Parameters:
    ///   - fraction: the part that is done.
    ///   - text: the step of the work; nil for the percentage.
    func show(_ fraction: Double, _ text: String?) {
        guard isShown else { return }
        let filled = min(max(Int(fraction * Double(Self.width)), 0), Self.width)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        show(line: "[\(bar)] " + TerminalText.visible(text ?? "\(Int(fraction * 100)) %"))
    }

    func show(fraction: Double) { show(fraction, nil) }

    /// Shows a text, for work of unknown extent.
    func show(text: String) { show(line: TerminalText.visible(text)) }

    private func show(line: String) {
        guard isShown else { return }
        state.withLock { state in
            state.wanted = line
            state.isCleared = false
            Self.update(&state)
        }
    }

    private static func update(_ state: inout State) {
        guard state.isDue, !state.isCleared, state.wanted != state.current else { return }
        let rest = String(repeating: " ", count: max(0, state.current.count - state.wanted.count))
        state.current = state.wanted
        try? FileHandle.standardError.write(contentsOf: Data("\r\(state.current)\(rest)".utf8))
    }

    /// Takes the line away.
    func clear() {
        guard isShown else { return }
        state.withLock { state in
            state.isCleared = true
            guard !state.current.isEmpty else { return }
            let blank = "\r" + String(repeating: " ", count: state.current.count) + "\r"
            state.current = ""
            try? FileHandle.standardError.write(contentsOf: Data(blank.utf8))
        }
    }
}
