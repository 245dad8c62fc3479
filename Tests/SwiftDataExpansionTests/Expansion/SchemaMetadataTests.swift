import Testing

@Suite("The schema of @Model")
struct SchemaMetadataTests {
    /// The elements of the schema of a class with these members.
    private func metadata(_ members: String) -> String {
        Expansions.members("@Model final class A {\n\(members)\ninit() {} }").member("var schemaMetadata")
    }

    private func element(_ name: String, _ spelling: String? = nil, value: String = "nil", metadata: String = "nil")
        -> String
    {
        """
        SwiftData.Schema.PropertyMetadata(name: "\(name)", keypath: \\A.\(spelling ?? name), defaultValue: \(value), \
        metadata: \(metadata))
        """
    }

    private func array(_ elements: String...) -> String {
        """
        static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] { \
        return [ \(elements.joined(separator: ", ")) ] }
        """
    }

    @Test("each stored property is an element with its value")
    func values() {
        expectEqual(
            metadata("var a: Int\nvar b = [1, 2].map { $0 }, c = Dictionary<String, Int>()"),
            array(
                element("a"), element("b", value: "[1, 2].map { $0 }"),
                element("c", value: "Dictionary<String, Int>()")))
    }

    @Test(
        "values end where the compiler ends them",
        arguments: [
            ("1 // after", "1"), ("1\n    + 2", "1 + 2"), ("x\n    ?? y", "x ?? y"), ("a ? 1\n : 2", "a ? 1 : 2"),
            ("-1", "-1"), ("a < b", "a < b"), ("f()\n.g()", "f() .g()"), ("\"a \\(1, 2) }\"", "\"a \\(1, 2) }\""),
            ("if a { 1 }\nelse { 2 }", "if a { 1 } else { 2 }"), ("{ 1 }()", "{ 1 }()"), ("a as? Int", "a as? Int"),
            ("F<Int, G>.h(1)", "F<Int, G>.h(1)"), ("[\n1, // one\n2]", "[ 1, // one 2]"), ("1;", "1"),
            ("#P<A> { $0 }", "#P<A> { $0 }"), ("run { 1 } second: { 2 }", "run { 1 } second: { 2 }"),
        ])
    func ends(written: String, value: String) {
        expectEqual(metadata("var a = \(written)\nvar b: Int"), array(element("a", value: value), element("b")))
    }

    @Test(
        "properties that a store doesn't keep are left out",
        arguments: [
            "var b: Int { 1 }", "var b: Int { get { 1 } set {} }", "static var b = 1",
            "class var b: Int { 1 }", "@Transient var b = 1", "@SwiftData.Transient var b = 1",
            "func f() { var b = 1 }",
            "struct B { var b: Int }", "// var b: Int", "lazy var c: Int { 1 }",
        ])
    func leftOut(member: String) {
        expectEqual(metadata("var a: Int\n\(member)\nlet d: Int"), array(element("a"), element("d")))
    }

    @Test(
        "properties with observers are kept",
        arguments: ["var b = 1 { didSet {} }", "var b: Int = 1\n{ willSet {} didSet(old) {} }"])
    func observed(member: String) {
        expectEqual(metadata("var a: Int\n\(member)"), array(element("a"), element("b", value: "1")))
    }

    @Test("attributes and relationships are values of the schema")
    func attributes() {
        expectEqual(
            metadata(
                """
                @Attribute(.unique, originalName: "n") var a: Int
                @Relationship(deleteRule: .cascade, inverse: \\B.a) var b: [B]
                @SwiftData.Attribute var c: Int
                @available(*, deprecated) var d: Int
                """),
            array(
                element("a", metadata: "SwiftData.Schema.Attribute(.unique, originalName: \"n\")"),
                element("b", metadata: "SwiftData.Schema.Relationship(deleteRule: .cascade, inverse: \\B.a)"),
                element("c", metadata: "SwiftData.Schema.Attribute()"), element("d")))
    }

    @Test("a name in backticks keeps them in the key path alone")
    func backticks() {
        expectEqual(metadata("var `default`: Int"), array(element("default", "`default`")))
    }

    @Test("#Index and #Unique follow the properties")
    func constraints() {
        func entry(_ kind: String, _ arguments: String) -> String {
            """
            SwiftData.Schema.PropertyMetadata(name: "SwiftData.Schema.\(kind)", \
            keypath: \\SwiftData.Schema.encodingVersion, defaultValue: nil, \
            metadata: SwiftData.Schema.\(kind)<A>(\(arguments)))
            """
        }
        expectEqual(
            metadata("#Unique<A>([\\.a], [\\.b, \\.a])\n#Index([\\.a])\nvar a: Int\nvar b: Int"),
            array(
                element("a"), element("b"), entry("Index", "[\\.a]"), entry("Unique", "[\\.a], [\\.b, \\.a]")))
        expectEqual(metadata("#Index<A>([\\.b])\nvar a: Int"), array(element("a")))
    }

    @Test("a property in an #if block is in the schema under the same condition")
    func conditions() {
        expectEqual(
            metadata("var a: Int\n#if os(Linux)\nvar b: Int\n#else\nvar c: Int\n#endif\nvar d: Int"),
            """
            static var schemaMetadata: [SwiftData.Schema.PropertyMetadata] { \
            var properties: [SwiftData.Schema.PropertyMetadata] = [ \(element("a")) ] \
            #if (os(Linux)) properties.append(\(element("b"))) #endif \
            #if !(os(Linux)) properties.append(\(element("c"))) #endif \
            properties.append(\(element("d"))) return properties }
            """)
    }

    @Test("lines of a string literal keep their indentation")
    func multilineStrings() {
        let value = "\"\"\"\n      a\n        b\n      \"\"\""
        expectContains(Expansions.members("@Model final class A { var a = \(value)\ninit() {} }"), value)
    }
}
