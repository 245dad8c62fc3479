import OpenCoreData

/// A line on the terminal that shows how far the work is. Without a terminal it shows nothing.
final class ProgressBar {
    private let count: Int
    private let isShown = StandardStreams.isErrorTerminal
    private var shown = ""

    private static let width = 40

    init(count: Int) { self.count = count }

    func show(_ step: Int, _ fraction: Float) {
        show((Float(step) + fraction) / Float(max(count, 1)), "step \(step + 1) of \(count)")
    }

    /// Shows how far work without steps is.
    func show(fraction: Double) { show(Float(fraction), "\(Int(fraction * 100)) %") }

    private func show(_ fraction: Float, _ text: String) {
        guard isShown else { return }
        let filled = min(max(Int(fraction * Float(Self.width)), 0), Self.width)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        let line = "\r[\(bar)] \(text)"
        guard line != shown else { return }
        shown = line
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }

    func clear() {
        guard !shown.isEmpty else { return }
        let blank = "\r" + String(repeating: " ", count: shown.count) + "\r"
        try? FileHandle.standardError.write(contentsOf: Data(blank.utf8))
    }
}
