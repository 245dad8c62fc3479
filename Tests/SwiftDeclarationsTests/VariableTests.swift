import Testing

@testable import SwiftDeclarations

@Suite("Declared variables")
struct VariableTests {
    private func file(_ text: String) -> FileDeclarations {
        DeclarationScanner.declarations(of: LexedSource(SwiftSource(path: "a.swift", text: text)))
    }

    /// Each property as `name: type = value`.
    private func variables(_ text: String) -> [String] {
        let file = file(text)
        return file.variables.flatMap(\.bindings).map { binding in
            let type = binding.typeText.map { ": \($0)" } ?? ""
            let value = binding.valueRange.map { " = \(file.source.text($0))" } ?? ""
            return (binding.name ?? "()") + type + value
        }
    }

    @Test("all properties of a declaration are found")
    func bindings() {
        expectEqual(
            variables("var a, b: Int, c = 1, d: [String: Int] = [:]"),
            [
                "a", "b: Int", "c = 1", "d: [String: Int] = [:]",
            ])
    }

    @Test("a pattern of several names is one binding without a name")
    func patterns() {
        expectEqual(variables("let (a, b) = (1, 2), c = 3"), ["() = (1, 2)", "c = 3"])
    }

    @Test(
        "a value ends with its expression",
        arguments: [
            "f { $0 }", "a\n.b()", "a\n    ?? b", "a < b", "A<B, C>()", "\"\\(a, b)\"", "{ 1 }()", "a ?\n1 : 2",
        ])
    func values(value: String) {
        expectEqual(variables("var a = \(value)\nvar b = 2"), ["a = \(value)", "b = 2"])
        expectEqual(variables("var a = \(value), b = 2"), ["a = \(value)", "b = 2"])
        expectEqual(variables("class A { var a = \(value) }\nvar b = 2"), ["a = \(value)", "b = 2"])
    }

    @Test(
        "accessors are told from closures",
        arguments: [
            ("var a: Int { 1 }", ["get"]), ("var a: Int { get { 1 } set { } }", ["get", "set"]),
            ("var a = 1 { didSet { } }", ["didSet"]), ("var a = f { 1 } { willSet { } }", ["willSet"]),
            ("var a: Int { get async throws { 1 } }", ["get", "async", "throws"]),
            ("var a: Int { @inlinable get { 1 } }", ["get"]), ("var a: Int\n{ didSet { } }", ["didSet"]),
        ])
    func accessors(text: String, names: [String]) {
        expectEqual(file(text).variables.first?.bindings.first?.accessors, Set(names))
    }

    @Test("a closure behind a value has no accessors")
    func closures() {
        expectEqual(file("var a = f { set.b }").variables.first?.bindings.first?.accessors, nil)
    }

    @Test("an unreadable type keeps its text")
    func unreadableTypes() {
        let binding = file("var a: [3 of Int] = 1").variables.first?.bindings.first
        expectEqual(binding?.type, nil)
        expectEqual(binding?.typeText, "[3 of Int]")
        #expect(binding?.valueRange != nil)
    }

    @Test("attributes have the text of their arguments")
    func attributes() {
        let source = "@A(.b, /* c */ d: \"e\") @M.F<Int>(1) private(set) var a: Int"
        let file = file(source)
        let marks = file.variables.first?.marks ?? []
        expectEqual(marks.map(\.name), ["@A", "@M.F", "private"])
        let arguments = marks.map { mark in mark.argumentRange.map { file.source.text($0) } }
        expectEqual(arguments, [".b, /* c */ d: \"e\"", "1", "set"])
    }

    @Test("attributes in a block of their own are conditional")
    func conditionalAttributes() {
        expectEqual(
            file("#if A\n@B\n#endif\n@C var a: Int").variables.first?.marks.map(\.isConditional), [true, false])
    }
}

@Suite("Members of types")
struct TypeMemberTests {
    private func file(_ text: String) -> FileDeclarations {
        DeclarationScanner.declarations(of: LexedSource(SwiftSource(path: "a.swift", text: text)))
    }

    @Test("macros in a body have their generic arguments and arguments")
    func macros() {
        let file = file("class A { #Unique<A>([\\.a], [\\.b])\n#Index([\\.a])\n#warning(\"x\") }")
        expectEqual(file.macros.map(\.name), ["Unique", "Index", "warning"])
        expectEqual(file.macros.map(\.scope.path), [["A"], ["A"], ["A"]])
        let generics = file.macros.map { macro in macro.genericArgumentRange.map { file.source.text($0) } }
        expectEqual(generics, ["<A>", nil, nil])
        let arguments = file.macros.map { macro in macro.argumentRange.map { file.source.text($0) } }
        expectEqual(arguments, ["[\\.a], [\\.b]", "[\\.a]", "\"x\""])
    }

    @Test("initializers of every type are found")
    func initializers() {
        let file = file("struct A { init(a: Int) {} }; class B { init?<T>(t: T) {}; struct C { init() {} } }")
        expectEqual(file.initializers.map(\.scope.path), [["A"], ["B"], ["B", "C"]])
        expectEqual(file.initializers.map(\.isGeneric), [false, true, false])
    }

    @Test("members have the conditions around them")
    func conditions() {
        let file = file(
            "class A {\n#if B\nvar a = 1\n#if C && D\nvar b = 2\n#endif\n#else\nvar c = 3\n#endif\nvar d = 4 }")
        expectEqual(file.variables.map(\.scope.conditions), [["(B)"], ["(B)", "(C && D)"], ["!(B)"], []])
    }

    @Test("a value in lines of its own hides no members behind it")
    func multilineValues() {
        let file = file(
            "class A { var a = {\nvar x = 1\n}()\nvar b = if c {\n1\n} else {\n2\n}\nfunc f() { var y = 1 } }")
        expectEqual(file.members.map(\.name), ["a", "b", "f"])
    }
}
