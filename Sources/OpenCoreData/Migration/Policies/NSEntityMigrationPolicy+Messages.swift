// SPDX-License-Identifier: Apache-2.0

import CoreDataModel
import CoreDataPredicates

/// The methods that expressions call: `FUNCTION($entityPolicy, "selector:", …)`.
extension NSEntityMigrationPolicy: MessageReceiving {
    package final func perform(_ selector: String, with arguments: [Any?]) -> Any?? {
        do {
            guard let method = MigrationMethods.method(selector, of: type(of: self)) else {
                throw missingMethod(selector)
            }
            return .some(try method(self, arguments))
        } catch {
            guard let manager else { programmingError("FUNCTION(\(type(of: self)), \"\(selector)\") failed: \(error)") }
            manager.functionFailure = manager.functionFailure ?? error
            return .some(nil)
        }
    }

    private func missingMethod(_ selector: String) -> NSError {
        let known = MigrationMethods.selectors(of: type(of: self))
        return MigrationErrors.policy(
            mapping ?? NSEntityMapping(),
            "Its expressions call \u{201c}\(selector)\u{201d} of \(type(of: self)), which has no such method."
                + NearestNames.suggestion(for: selector, in: known),
            suggestion:
                "Register the method: NSEntityMigrationPolicy.register(\"\(selector)\", of: \(type(of: self)).self).")
    }
}
