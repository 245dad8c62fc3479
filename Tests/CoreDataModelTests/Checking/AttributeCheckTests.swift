import CoreDataModel
import Testing

@Suite("Checks of attributes")
struct AttributeCheckTests {
    /// A model whose entity has one attribute.
    private func model(_ attribute: String) throws -> LintedModel {
        try LintedModel("<entity name=\"A\"><attribute name=\"x\" optional=\"YES\" \(attribute)/></entity>")
    }

    @Test("A stored attribute without a type is an error; a transient one is not")
    func undefined() throws {
        let findings = try model("").findings
        expectEqual(findings.map(\.message), ["A.x must have a defined type"])
        expectEqual(findings.map(\.severity), [.error])
        expectEmpty(try model("transient=\"YES\"").findings)
    }

    @Test(
        "A transformable needs a secure transformer",
        arguments: ["", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData"])
    func insecure(name: String) throws {
        let messages = try model("attributeType=\"Transformable\" valueTransformerName=\"\(name)\"").messages(
            .transformer)
        expectEqual(messages.count, 1)
        expectEqual(messages.first?.hasPrefix("A.x is transformable with "), true)
    }

    @Test(
        "The secure transformer and one of the program's own are good",
        arguments: ["NSSecureUnarchiveFromData", "ColorTransformer"])
    func secure(name: String) throws {
        expectEmpty(try model("attributeType=\"Transformable\" valueTransformerName=\"\(name)\"").findings)
    }

    @Test("A transformer of an attribute that is not transformable is reported")
    func needlessTransformer() throws {
        try expectEqual(
            model("attributeType=\"String\" valueTransformerName=\"T\"").messages(.transformer),
            ["A.x names the value transformer 'T', but is not transformable"])
    }

    @Test(
        "A text that is not a number of the type is reported with the value that is read",
        arguments: [
            ("Integer 32", "NO", "is not a number, and is read as 0"),
            ("Integer 16", "70000", "is out of range for Integer 16"),
            ("Integer 64", "1.5", "is not an integer, and is read as 1"),
            ("Double", "12abc", "is not a number, and is read as 12"),
            ("Float", "1e39", "is too large for the type Float"),
            ("Double", "1e-400", "is too small for the type Double"),
            ("Double", "inf", "is not a number, and is read as 0"),
            ("Decimal", "x", "is not a number, and is read as 0"), ("Boolean", "perhaps", "is neither YES nor NO"),
            ("UUID", "1234", "is not a UUID and is ignored"), ("Binary", "AA", "attributes of type Binary can't have"),
        ])
    func defaults(type: String, text: String, problem: String) throws {
        let messages = try model("attributeType=\"\(type)\" defaultValueString=\"\(text)\"").messages(.defaultValue)
        expectEqual(messages, ["A.x has the default value '\(text)', which \(problem)"])
    }

    @Test(
        "Good defaults give no finding",
        arguments: [
            ("Integer 32", "-2147483648"), ("Integer 64", "9223372036854775807"), ("Integer 16", "0.0"),
            ("Double", "1e300"), ("Float", "0.5"),
            ("Decimal", "123456789012345678901234567890.5"), ("Boolean", "NO"), ("Boolean", "0"), ("String", "NO"),
            ("String", ""),
            ("UUID", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"), ("URI", "https://example.org"),
        ])
    func soundDefaults(type: String, text: String) throws {
        expectEmpty(try model("attributeType=\"\(type)\" defaultValueString=\"\(text)\"").findings)
    }

    @Test(
        "A default value that the limits forbid is told",
        arguments: [
            ("Integer 32", "minValueString=\"1\"", "0"), ("Integer 32", "maxValueString=\"-1\"", "0"),
            ("String", "minValueString=\"3\"", "ab"),
            ("String", "regularExpressionString=\"[0-9]+\"", "ab"),
        ])
    func forbiddenDefault(type: String, limit: String, text: String) throws {
        let messages = try model("attributeType=\"\(type)\" \(limit) defaultValueString=\"\(text)\"").messages(
            .defaultValue)
        expectEqual(messages.count, 1)
        expectEqual(messages.first?.hasSuffix("which its own limits forbid"), true)
    }

    @Test(
        "A least value above the greatest is told",
        arguments: [
            ("Integer 32", "value"), ("Decimal", "value"), ("String", "length"),
        ])
    func limits(type: String, kind: String) throws {
        let messages = try model("attributeType=\"\(type)\" minValueString=\"5\" maxValueString=\"3\"").messages(
            .limits)
        expectEqual(messages, ["A.x has a minimum \(kind) (5) greater than its maximum \(kind) (3)"])
    }

    @Test("A limit that is not a number, and an invalid pattern, are reported")
    func brokenLimits() throws {
        try expectEqual(
            model("attributeType=\"Integer 32\" minValueString=\"few\"").messages(.limits),
            [
                "A.x has the limit 'few', which is not a number of its type"
            ])
        try expectEqual(
            model("attributeType=\"String\" regularExpressionString=\"[0-9\"").messages(.limits),
            ["A.x has the pattern '[0-9', which is not a regular expression"])
    }

    @Test(
        "A derivation that no store can compute is reported",
        arguments: [
            ("copies.@cuont", "'copies.@cuont' with the unknown operator '@cuont'; did you mean '@count'?"),
            ("copies.@count + 1", "which can't be computed: it is not a key path, count:, sum:"),
            ("copies", "which has many values: a number is derived by copies.@count"),
        ])
    func impossibleDerivation(expression: String, part: String) throws {
        let messages = try derived(expression).messages(.fetchRequest)
        expectEqual(messages.count, 1)
        expectEqual(messages.first?.hasPrefix("A.x has the derivation "), true)
        expectEqual(messages.first?.contains(part), true, "\(messages)")
    }

    @Test(
        "A derivation that stores compute is good",
        arguments: ["copies.@count", "count(copies)", "sum(copies.price)", "canonical:(title)", "now()", "title"])
    func possibleDerivation(expression: String) throws {
        try expectEqual(derived(expression).messages(.fetchRequest), [])
    }

    private func derived(_ expression: String) throws -> LintedModel {
        try LintedModel(
            """
            <entity name="A"><attribute name="title" optional="YES" attributeType="String"/>\
            <attribute name="x" optional="YES" attributeType="Integer 64" derived="YES" \
            derivationExpression="\(expression)"/>\
            <relationship name="copies" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="B" \
            inverseName="a" inverseEntity="B"/></entity>\
            <entity name="B"><attribute name="price" optional="YES" attributeType="Double"/>\
            <relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A" \
            inverseName="copies" inverseEntity="A"/></entity>
            """)
    }

    @Test("A derivation from an unknown key is reported with the most similar name")
    func derivation() throws {
        let model = try LintedModel(
            """
            <entity name="A"><attribute name="title" attributeType="String"/>
            <attribute name="x" attributeType="String" derived="YES" derivationExpression="titel"/></entity>
            """)
        expectEqual(
            model.messages(.fetchRequest),
            [
                "A.x names 'titel', but entity 'A' has no property 'titel'; did you mean 'title'?"
            ])
    }

    @Test("Default values out of their type's range are reported in models made in code")
    func codeMade() throws {
        let model = try LintedModel("<entity name=\"A\"><attribute name=\"x\" attributeType=\"Integer 16\"/></entity>")
        { model in
            model.entity(named: "A")?.attributesByName["x"]?.defaultValue = NSNumber(value: 40000)
        }
        expectEqual(
            model.messages(.defaultValue), ["A.x has the default value 40000, which is out of range for Integer 16"])
    }
}
