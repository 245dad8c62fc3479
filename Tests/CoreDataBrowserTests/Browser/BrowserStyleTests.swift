import Foundation
import Testing

@testable import CoreDataCommand

/// The colours of the style sheet, by the formulas of the Web Content Accessibility Guidelines 2.
@Suite("Contrast of the browser's pages")
struct BrowserStyleTests {
    /// The colours of one scheme by name.
    private typealias Scheme = [String: Double]

    /// The relative luminance of `#rrggbb`.
    private static func luminance(_ color: Substring) -> Double {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        let channels = [16, 8, 0].map { shift -> Double in
            let value = Double(number >> shift & 255) / 255
            return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }

    /// The light scheme, then the dark one.
    private static let schemes: [Scheme] = PageStyle.text.matches(of: /:root \{([^}]*)\}/).map { root in
        var scheme: Scheme = [:]
        for color in root.1.matches(of: /--([a-z-]+): (#[0-9a-f]{6})/) {
            scheme[String(color.1)] = luminance(color.2)
        }
        return scheme
    }

    private static func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    @Test("Text has a contrast of 4.5 to what is behind it, in light and dark", arguments: [0, 1])
    func text(_ index: Int) throws {
        try #require(Self.schemes.count == 2)
        let scheme = Self.schemes[index]
        let pairs =
            ["text", "soft", "link", "warn"].flatMap { text in ["back", "panel", "row"].map { (text, $0) } }
            + [("text", "warn-back"), ("warn", "warn-back"), ("link", "line"), ("on-accent", "accent")]
        for (text, back) in pairs {
            let contrast = Self.contrast(try requireValue(scheme[text]), try requireValue(scheme[back]))
            #expect(contrast >= 4.5, "--\(text) on --\(back): \(contrast)")
        }
    }

    @Test("The outline of what has the focus, and the border of a field, have a contrast of 3", arguments: [0, 1])
    func focus(_ index: Int) throws {
        try #require(Self.schemes.count == 2)
        let scheme = Self.schemes[index]
        for (line, back) in [("accent", "back"), ("accent", "panel"), ("soft", "back"), ("soft", "panel")] {
            let contrast = Self.contrast(try requireValue(scheme[line]), try requireValue(scheme[back]))
            #expect(contrast >= 3, "--\(line) on --\(back): \(contrast)")
        }
    }
}
