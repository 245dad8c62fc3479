import Testing

@testable import SwiftDataExpansion

@Suite("The errors of the macros")
struct ModelDiagnosticTests {
    @Test(
        "other types than classes are refused",
        arguments: [
            ("struct A { var a: Int }", "struct"), ("actor A { init() {} }", "actor"), ("public struct A {}", "struct"),
        ])
    func otherTypes(declaration: String, kind: String) {
        expectEqual(
            Expansions.errors("\n// é\n@Model\n\(declaration)"),
            [
                "'@Model' cannot be applied to \(kind) type 'A' | @Model"
            ])
    }

    @Test("an enumeration is refused with its extension, since the compiler asks for no members")
    func enumeration() {
        let source = "@Model enum A { case a }"
        expectEqual(Expansions.errors(source), [])
        let expansion = Expansions.expand("PersistentModelMacro", .extension, source, missing: Expansions.conformances)
        expectEqual(
            expansion,
            MacroExpansion(
                source: "",
                diagnostics: [MacroDiagnostic(message: "'@Model' cannot be applied to enumeration type 'A'")]))
    }

    @Test("a class needs an initializer of its own")
    func initializer() {
        expectEqual(
            Expansions.errors("@Model final class A { var a = 1; struct B { init() {} } }"),
            [
                """
                @Model requires an initializer be provided for 'A' | \
                @Model final class A { var a = 1; struct B { init() {} } }
                """
            ])
    }

    @Test(
        "every initializer counts",
        arguments: ["init() {}", "convenience init?(a: Int) {}", "init<T>(_ t: T) {}", "#if DEBUG\ninit() {}\n#endif"])
    func initializers(initializer: String) {
        expectEqual(Expansions.errors("@Model class A {\n\(initializer)\n}"), [])
    }

    @Test("a transient property needs a value, unless it is optional")
    func transient() {
        expectEqual(
            Expansions.errors(
                "@Model class A {\n@Transient var a: Int\n@Transient var b: Int?\n@Transient var c = 1\ninit() {}}"),
            ["@Transient requires non-optional property 'a' to have a default value | @Transient var a: Int"])
    }

    @Test("a value without its type is refused")
    func implicitMembers() {
        expectEqual(
            Expansions.errors("@Model class A {\nvar a: Date = .now // é\ninit() {}}"),
            [
                "A default value requires a fully qualified domain named value | .now // é"
            ])
    }

    @Test(
        "types that no store keeps are refused",
        arguments: [
            ("() -> Void", "function type"), ("((Int) -> Int)?", "function type"), ("(Int, Int)", "tuple type"),
            ("Int.Type", "metatype"), ("any Codable", "existential type"), ("Any", "type"), ("AnyObject?", "type"),
        ])
    func unsupportedTypes(type: String, kind: String) {
        expectEqual(
            Expansions.errors("@Model class A {\nvar a: \(type)\ninit() {}}"),
            [
                "@Model cannot persist property 'a' of \(kind) '\(type)': mark it as @Transient | a: \(type)"
            ])
    }

    @Test(
        "an attribute is for stored properties",
        arguments: [
            ("var a: Int { 1 }", "a computed property"), ("static var a = 1", "a type property"),
        ])
    func attributes(property: String, problem: String) {
        for name in ["Attribute", "Relationship"] {
            let expansion = Expansions.expand("\(name)PropertyMacro", .peer, "@\(name) \(property)")
            expectEqual(expansion.diagnostics, [MacroDiagnostic(message: "@\(name) cannot be applied to \(problem)")])
        }
    }

    @Test("a property that an index or a constraint names and the class hasn't is an error")
    func missingProperty() {
        let model = "@Model class A {\nvar a: Int\n#Index<A>([\\.a], [\\.b])\n#Unique([\\A.c, \\.a])\ninit() {}}"
        expectEqual(
            Expansions.errors(model),
            [
                "#Index names 'b', which is no property of 'A' | b])",
                "#Unique names 'c', which is no property of 'A' | c, \\.a])",
            ])
    }

    @Test("a note says that observers aren't called")
    func observers() {
        let model = "@Model class A {\n@Attribute var a = 1 { didSet {} }\ninit() {}}"
        expectEqual(
            Expansions.expand("PersistentModelMacro", .member, model).diagnostics,
            [
                MacroDiagnostic(
                    message: "@Model replaces the accessors of 'a': its willSet and didSet aren't called",
                    severity: .note, offset: 32)
            ])
    }

    @Test("an attribute of a stored property has no expansion")
    func storedProperty() {
        expectEqual(
            Expansions.expand("AttributePropertyMacro", .peer, "@Attribute var a = 1"), MacroExpansion(source: ""))
    }
}
