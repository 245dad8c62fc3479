import CoreDataModel
import Testing

@Suite("Hostile predicates")
struct HostilePredicateTests {
    @Test(
        "The checks of a model don't evaluate predicates that may stop the program",
        arguments: [
            "SELF.nothing == 1", "FUNCTION(self, 'nothing:', 1) == 1", "ANY SELF.a.b == 2", "length.length > 1",
            "SELF < 'a'",
        ])
    func checks(format: String) throws {
        let model = LibraryModel.make()
        let pages = try requireValue(model.entitiesByName["Book"]?.attributesByName["pages"])
        pages.setValidation(predicates: [try NSPredicate.parse(format)], warnings: ["odd"])
        #expect(!ModelLint.findings(in: model).contains { $0.key == "pages" && $0.message.contains("limits forbid") })
    }
}
