import Testing

@testable import SwiftDataExpansion

@Suite("The members of @Model")
struct ModelMemberTests {
    private let item = "@Model final class Item { var a: Int; var b: String?; init() {} }"

    @Test("the backing data begins empty")
    func backingData() {
        expectContains(
            Expansions.members(item),
            """
            @Transient @exclusivity(unchecked) nonisolated(unsafe) private var _$backingData = \
            SwiftData.ManagedBackingData<Item>()
            """)
    }

    @Test("the persistent backing data reads and replaces the backing data")
    func persistentBackingData() {
        expectEqual(
            Expansions.members(item).member("var persistentBackingData"),
            """
            var persistentBackingData: any SwiftData.BackingData<Item> { \
            get { _$backingData.backingData(of: self) } \
            set { _$backingData = SwiftData.ManagedBackingData(newValue) } }
            """)
    }

    @Test("the initializer with backing data sets the peer of each property")
    func initializer() {
        expectEqual(
            Expansions.members(item).member("init(backingData"),
            """
            init(backingData: any SwiftData.BackingData<Item>) { _a = _SwiftDataNoType() _b = _SwiftDataNoType() \
            _$backingData = SwiftData.ManagedBackingData(backingData) }
            """)
    }

    @Test("the initializer is required in a class that isn't final")
    func requiredInitializer() {
        expectContains(Expansions.members("@Model class A { init() {} }"), "\nrequired init(backingData")
    }

    @Test("observers are told by the backing data")
    func observation() {
        let members = Expansions.members(item)
        expectContains(members.member("func access"), "_$backingData.access(self, keyPath: keyPath)")
        expectContains(
            members.member("func withMutation"), "try _$backingData.withMutation(of: self, keyPath: keyPath, mutation)")
        expectContains(members.member("var _$observationRegistrar"), "_$backingData.observationRegistrar(of: self)")
    }

    @Test(
        "members are as accessible as the class",
        arguments: [
            ("public ", "public ", "public class", "required public "),
            ("open ", "open ", "open class", "required public "),
            ("package ", "package ", "package class", "required package "), ("", "", "class", "required "),
            ("private ", "", "class", "required "),
        ])
    func access(modifier: String, variable: String, metadata: String, initializer: String) {
        let members = Expansions.members("@Model \(modifier)class A { init() {} }")
        expectContains(members, "\n\(variable)var persistentBackingData")
        expectContains(members, "\n\(metadata) var schemaMetadata")
        expectContains(members, "\n\(initializer)init(backingData")
    }

    @Test("a subclass of a model overrides, and passes the backing data on")
    func subclass() {
        let members = Expansions.members("@Model class B: App.A, P { var c = 1; init() {} }", missing: [])
        expectContains(members, "override var persistentBackingData: any SwiftData.BackingData<App.A.Root>")
        expectContains(members, "override class var schemaMetadata")
        expectTrue(
            members.member("init(backingData").hasSuffix(
                "_$backingData = SwiftData.ManagedBackingData(backingData) super.init(backingData: backingData) }"))
        #expect(!members.contains("_$observationRegistrar"))
    }

    @Test("a class that declares the conformance is no subclass of a model")
    func declaredConformance() {
        let members = Expansions.members(
            "@Model class A: SwiftData.PersistentModel { init() {} }", missing: ["Observable"])
        #expect(!members.contains("override"))
    }

    @Test("extensions name the nested type, and those conformances that are missing")
    func extensions() {
        let all = Expansions.expand(
            "PersistentModelMacro", .extension, "@Model class A { init() {} }", missing: Expansions.conformances,
            named: "V1.A")
        expectEqual(all.source?.contains("extension V1.A: nonisolated SwiftData.PersistentModel {\n}"), true)
        expectEqual(all.source?.contains("extension V1.A: nonisolated Observation.Observable {\n}"), true)
        expectEqual(
            all.source?.contains(
                """
                @available(*, unavailable, message: "PersistentModels are not Sendable, consider utilizing a \
                ModelActor or use V1.A's persistentModelID instead")
                extension V1.A: Sendable {
                }
                """), true)
        let none = Expansions.expand("PersistentModelMacro", .extension, "@Model class A { init() {} }", named: "A")
        expectEqual(none.source, "")
    }
}
