import CoreDataModel

/// A source model for one test of the checks: the text between `<model>` and `</model>`, with the first line as line 1.
struct LintedModel {
    let findings: [ModelFinding]

    init(_ elements: String, attributes: String = "", change: (NSManagedObjectModel) -> Void = { _ in }) throws {
        let url = URL(fileURLWithPath: "/models/Test.xcdatamodel/contents")
        let root = try SourceXMLReader.read(Data("<model \(attributes)>\(elements)</model>".utf8), from: url)
        let model = try SourceModelReader.read(root, from: url)
        change(model)
        findings = ModelLint.findings(in: model)
    }

    /// The messages of one kind of finding.
    func messages(_ kind: ModelFinding.Kind) -> [String] { findings.filter { $0.kind == kind }.map(\.message) }
}
