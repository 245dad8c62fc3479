import CoreDataModel
import Testing

@Suite("Source models read and written again")
struct SourceRoundTripTests {
    @Test(
        """
        A real source model is written as Xcode wrote it, but for the drawing and the order of what was edited by \
        hand
        """,
        .enabled(if: Corpus.isPresent, "the corpus is not here"))
    func corpus() throws {
        var equal = 0
        for bundle in ["chat/zmessaging.xcdatamodeld", "shop/SampleModel.xcdatamodeld"] {
            for version in try SourceModelBundle(at: Corpus.url(bundle)).versions.sampled(10) {
                let file = version.url.appendingPathComponent("contents")
                let text = try String(contentsOf: file, encoding: .utf8)
                let written = try String(decoding: SourceModelWriter.xml(of: ModelFile.load(at: file)), as: UTF8.self)
                let different = Set(Self.lines(written)).symmetricDifference(Self.lines(text)).sorted()
                expectEqual(different, [], "\(version.name)")
                if Self.lines(written) == Self.lines(text) { equal += 1 }
            }
        }
        #expect(equal >= TestRun.quick(10, long: 92))
    }

    /// The lines of a model without the drawing and the root, whose order of attributes differs between versions of
    /// Xcode.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
            .filter { !$0.contains("<element ") && !$0.contains("elements>") && !$0.hasPrefix("<model") }
    }

    @Test("All features of a source model are read and written without a change")
    func everything() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(FullSourceModel.xml, to: "Full.xcdatamodel/contents")
        let model = try ModelFile.load(at: file)
        let written = try SourceModelWriter.xml(of: model)
        expectEqual(String(decoding: written, as: UTF8.self), FullSourceModel.xml)
        let again = try folder.write(written, to: "Again.xcdatamodel/contents")
        expectTrue(try ModelFile.load(at: again).isEqual(model))
    }
}
