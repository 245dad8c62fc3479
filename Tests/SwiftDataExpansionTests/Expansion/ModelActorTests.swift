import Testing

@testable import SwiftDataExpansion

@Suite("The expansion of @ModelActor")
struct ModelActorTests {
    @Test("the executor and the container are as accessible as the actor", arguments: ["", "public ", "package "])
    func members(access: String) {
        let expansion = Expansions.expand(
            "PersistentModelActorMacro", .member, "@ModelActor \(access)actor A { let b = 1 }")
        expectEqual(
            expansion.source?.inOneLine,
            """
            \(access)nonisolated let modelExecutor: any SwiftData.ModelExecutor \
            \(access)nonisolated let modelContainer: SwiftData.ModelContainer \
            \(access)init(modelContainer: SwiftData.ModelContainer) { \
            let modelContext = SwiftData.ModelContext(modelContainer) \
            self.modelExecutor = SwiftData.DefaultSerialModelExecutor(modelContext: modelContext) \
            self.modelContainer = modelContainer }
            """)
    }

    @Test("the actor becomes a model actor")
    func conformance() {
        let expansion = Expansions.expand(
            "PersistentModelActorMacro", .extension, "@ModelActor actor A {}", missing: ["ModelActor"], named: "B.A")
        expectEqual(expansion.source, "extension B.A: SwiftData.ModelActor {\n}")
    }

    @Test("a class is refused", arguments: ["class", "struct", "enum"])
    func otherTypes(keyword: String) {
        let expansion = Expansions.expand("PersistentModelActorMacro", .member, "@ModelActor \(keyword) A {}")
        expectEqual(expansion.diagnostics.map(\.message), ["'@ModelActor' cannot be applied to non-actor type 'A'"])
    }
}
