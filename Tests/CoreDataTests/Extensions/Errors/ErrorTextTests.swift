import CoreData
import Testing

@Suite("The texts of errors")
struct ErrorTextTests {
    @Test("each error says what failed and why", arguments: ErrorCases.names)
    func descriptionAndReason(_ name: String) throws {
        let error = try ErrorCases.error(of: name)
        for part in Self.withInnerErrors(error) {
            let description = part.userInfo[NSLocalizedDescriptionKey] as? String
            let reason = part.userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? part.localizedFailureReason
            #expect(description?.isEmpty == false || part !== error, "\(part)")
            expectEqual(reason?.isEmpty, false, "\(part)")
        }
    }

    @Test("printing an error shows the reason", arguments: ErrorCases.names)
    func printed(_ name: String) throws {
        let error = try ErrorCases.error(of: name)
        for text in ["\(error)", "\(error as any Error)", String(reflecting: error)] {
            #expect(!text.contains("(null)"))
            expectContains(text, error.localizedFailureReason ?? "no reason")
        }
    }

    @Test("a CocoaError prints as the error that was thrown")
    func cocoaError() throws {
        let error = try ErrorCases.error(of: "missing value")
        let cocoaError = try requireValue(error as any Error as? CocoaError)
        expectEqual(cocoaError.code, .validationMissingMandatoryProperty)
        #expect(!"\(cocoaError)".contains("(null)"))
    }

    /// The error, those that it combines, and those that caused it.
    private static func withInnerErrors(_ error: NSError) -> [NSError] {
        let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return [error] + (details + [cause].compactMap { $0 }).flatMap(withInnerErrors)
    }
}
