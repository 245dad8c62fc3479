import Testing

@testable import CoreDataStores
@testable import OpenCoreData

/// Reading class metadata, of classes that override nothing, one method, or inherit an override.
@Suite("Overridden methods")
struct MethodOverridesTests {
    class Plain: NSManagedObject {
        var stored = [1, 2, 3]
        lazy var late = "late"
        func other() {}
    }
    final class Deeper: Plain { var more = 1.0 }
    class Validating: NSManagedObject {
        override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        }
    }
    final class BelowValidating: Validating { var stored: Int? }
    final class WillSaving: Plain { override func willSave() {} }
    final class DidSaving: Plain { override func didSave() {} }
    final class Awaking: Plain { override func awakeFromFetch() {} }
    final class Reading: Plain { override func value(forKey key: String) -> Any? { nil } }
    final class Generic<Value>: NSManagedObject {
        var value: Value?
        override func willSave() {}
    }

    @Test("each method's one entry is found")
    func entries() {
        let entries = [
            MethodOverrides.validateValueEntry, MethodOverrides.willSaveEntry, MethodOverrides.didSaveEntry,
            MethodOverrides.awakeFromFetchEntry, MethodOverrides.valueForKeyEntry,
        ]
        #expect(entries.allSatisfy { $0 != nil })
        expectEqual(Set(entries).count, entries.count)
    }

    @Test("classes that override nothing are told so, also two levels deep and with members of their own")
    func plain() {
        for type in [NSManagedObject.self, Plain.self, Deeper.self] {
            expectFalse(MethodOverrides.overridesValidateValue(type))
            expectFalse(MethodOverrides.overridesWillSave(type))
            expectFalse(MethodOverrides.overridesDidSave(type))
            expectFalse(MethodOverrides.overridesAwakeFromFetch(type))
        }
    }

    @Test("an override of value(forKey:) is found")
    func readingValues() {
        expectTrue(MethodOverrides.overridesValueForKey(Reading.self))
        expectFalse(MethodOverrides.overridesAwakeFromFetch(Reading.self))
        for type in [NSManagedObject.self, Plain.self, Deeper.self, Awaking.self] {
            expectFalse(MethodOverrides.overridesValueForKey(type))
        }
    }

    @Test("an override counts for its method alone, and for subclasses")
    func overriding() {
        expectTrue(MethodOverrides.overridesValidateValue(Validating.self))
        expectTrue(MethodOverrides.overridesValidateValue(BelowValidating.self))
        expectFalse(MethodOverrides.overridesWillSave(BelowValidating.self))
        expectTrue(MethodOverrides.overridesWillSave(WillSaving.self))
        expectFalse(MethodOverrides.overridesDidSave(WillSaving.self))
        expectTrue(MethodOverrides.overridesDidSave(DidSaving.self))
        expectFalse(MethodOverrides.overridesWillSave(DidSaving.self))
        expectTrue(MethodOverrides.overridesAwakeFromFetch(Awaking.self))
        expectFalse(MethodOverrides.overridesValidateValue(Awaking.self))
        expectTrue(MethodOverrides.overridesWillSave(Generic<String>.self))
        expectFalse(MethodOverrides.overridesDidSave(Generic<Int>.self))
    }
}
