import CoreDataModel
import Testing

@Suite("Nearest names")
struct NearestNamesTests {
    @Test("A misspelled name finds the most similar names, the nearest first")
    func slips() {
        let names = ["Song", "Songs", "Artist", "Playlist", "A"]
        expectEqual(NearestNames.nearest(to: "Sogn", in: names).first, "Song")
        expectEqual(NearestNames.nearest(to: "song", in: names), ["Song", "Songs"])
        expectEqual(NearestNames.nearest(to: "Artits", in: names), ["Artist"])
        expectEmpty(NearestNames.nearest(to: "Invoice", in: names))
        expectEmpty(NearestNames.nearest(to: "", in: names))
        expectEmpty(NearestNames.nearest(to: "Song", in: [String]()))
    }

    @Test("A message suggests similar names only")
    func question() {
        expectEqual(NearestNames.suggestion(for: "Sogn", in: ["Song"]), " Did you mean 'Song'?")
        expectEqual(NearestNames.suggestion(for: "Sonh", in: ["Song", "Sony"]), " Did you mean 'Song' or 'Sony'?")
        expectEqual(NearestNames.suggestion(for: "Invoice", in: ["Song"]), "")
    }

    @Test("Very long names are not compared")
    func endless() {
        expectEmpty(
            NearestNames.nearest(
                to: String(repeating: "x", count: 100_000), in: [String(repeating: "x", count: 100_001)]
            ))
    }
}
