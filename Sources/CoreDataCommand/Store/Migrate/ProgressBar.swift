import OpenCoreData

/// A line on the terminal that shows how far the work is. Without a terminal it shows nothing.
final class ProgressBar {
    private let isShown = StandardStreams.isErrorTerminal
    /// The line that stands on the terminal.
    private var current = ""

    private static let width = 40

    /// Shows how far the work is.
    ///
    /// - Parameters:
    ///   - fraction: the part that is done.
    ///   - text: what is being done; nil for the percentage.
    func show(_ fraction: Double, _ text: String?) {
        guard isShown else { return }
        let filled = min(max(Int(fraction * Double(Self.width)), 0), Self.width)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        let line = "[\(bar)] " + TerminalText.visible(text ?? "\(Int(fraction * 100)) %")
        guard line != current else { return }
        let rest = String(repeating: " ", count: max(0, current.count - line.count))
        current = line
        try? FileHandle.standardError.write(contentsOf: Data("\r\(line)\(rest)".utf8))
    }

    func show(fraction: Double) { show(fraction, nil) }

    func clear() {
        guard !current.isEmpty else { return }
        let blank = "\r" + String(repeating: " ", count: current.count) + "\r"
        current = ""
        try? FileHandle.standardError.write(contentsOf: Data(blank.utf8))
    }
}
