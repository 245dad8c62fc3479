import OpenCoreData

/// A line on the terminal that shows how far the work is. Without a terminal it shows nothing.
final class ProgressBar {
    private let count: Int
    private let isShown = StandardStreams.isErrorTerminal
    private var shown = ""

    private static let width = 40

    init(count: Int) { self.count = count }

    func show(_ step: Int, _ fraction: Float) {
        guard isShown else { return }
        let filled = Int((Float(step) + fraction) / Float(max(count, 1)) * Float(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        let line = "\r[\(bar)] step \(step + 1) of \(count)"
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
