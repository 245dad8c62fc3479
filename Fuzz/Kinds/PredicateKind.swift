import CoreDataModel
import CoreDataPredicates
import OpenCoreData

/// Format strings of predicates: parsed, written, parsed again, compared, evaluated and translated to SQL.
struct PredicateKind: InputKind {
    let name = "predicate"
    let form = MutationForm.text(PredicateSamples.words)

    func samples() throws -> [Data] { PredicateSamples.all.map { Data($0.utf8) } }

    func take(_ mutant: Data, in folder: URL, number: Int) throws -> Outcome {
        let text = String(decoding: mutant, as: UTF8.self)
        let predicate: NSPredicate
        do {
            predicate = try NSPredicate.parse(text, arguments: ["code", "x", 3])
        } catch {
            try check(error, text)
            return .refused
        }
        try compareAgain(predicate)
        guard predicate.substituting(["x": 1]).freeVariables == predicate.freeVariables.filter({ $0 != "x" }) else {
            throw Finding("a substituted variable is still there: \(predicate.predicateText.prefix(300))")
        }
        if EvaluationCheck.isHarmless(predicate) {
            _ = predicate.evaluate(
                with: SampleObject(depth: 3), substitutionVariables: EvaluationCheck.bindings(of: predicate))
        }
        try translate(predicate)
        return .accepted
    }

    private func check(_ error: any Error, _ text: String) throws {
        guard let error = error as? PredicateFormatError else { throw Finding("an error of another kind: \(error)") }
        guard error.format == text, 0...text.unicodeScalars.count ~= error.position, !error.expected.isEmpty,
            error.description.utf8.count < 10_000 + text.utf8.count
        else { throw Finding("an error without a place: \(error)") }
    }

    private func compareAgain(_ predicate: NSPredicate) throws {
        let written = predicate.predicateText
        let again: NSPredicate
        do {
            again = try NSPredicate.parse(written)
        } catch let error as PredicateFormatError
            where error.expected.contains("deep") || error.expected.contains("operators")
        {
            // The canonical text has more parentheses than the mutant.
            return
        } catch {
            throw Finding("what was written can't be read: \(error)")
        }
        guard again.structurallyEquals(predicate), again.structuralHash == predicate.structuralHash,
            again.predicateText == written
        else {
            throw Finding("'\(written.prefix(300))' is read as '\(again.predicateText.prefix(300))'")
        }
    }

    private func translate(_ predicate: NSPredicate) throws {
        let schema = try PredicateKind.schema.get()
        guard let entity = schema.model.entitiesByName["Child"] else {
            throw FuzzError("the sample has no entity Child")
        }
        let translator = SQLQueryTranslator(schema: schema, dialect: SQLiteDialect()) { _ in nil }
        do {
            let plan = try translator.statement(StoreQuery(layout: entity.entityLayout, predicate: predicate))
            // Each value is bound: quoted text of the mutant must not occur in the statement.
            guard !plan.text.contains("\u{1F600}") else {
                throw Finding("a constant got into the SQL \(plan.text.prefix(300))")
            }
        } catch let error as Finding {
            throw error
        } catch  where (error as NSError).domain == NSCocoaErrorDomain {
            return
        } catch {
            throw Finding("the translation throws \(error)")
        }
    }

    private static let schema = Result {
        let model = try SampleModels.read()
        // The sample store has no composite attributes.
        for entity in model.entities {
            entity.properties = entity.ownProperties.filter { !($0 is NSCompositeAttributeDescription) }
        }
        return try SQLSchema(model: model)
    }
}
