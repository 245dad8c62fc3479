import Testing

@Suite("The expansion of a persisted property")
struct PropertyExpansionTests {
    @Test("accessors call the backing data")
    func accessors() {
        expectEqual(
            Expansions.accessors("\n  var title: String = \"x\"").inOneLine,
            """
            { @storageRestrictions(accesses: _$backingData, initializes: _title) init(initialValue) { \
            _$backingData.initialize(Self._$title.property, to: initialValue) _title = _SwiftDataNoType() } \
            get { _$backingData.value(of: Self._$title.property, in: self, keyPath: \\.title) } \
            set { _$backingData.setValue(newValue, of: Self._$title.property, in: self, keyPath: \\.title) } }
            """)
    }

    @Test("a transformable property has calls of its own")
    func transformable() {
        let accessors = Expansions.accessors("var a: Color", "TransformablePersistedPropertyMacro")
        expectContains(accessors, "_$backingData.initializeTransformable(Self._$a.property, to: initialValue)")
        expectContains(accessors, "_$backingData.transformableValue(of: Self._$a.property, in: self, keyPath: \\.a)")
        expectContains(
            accessors, "_$backingData.setTransformableValue(newValue, of: Self._$a.property, in: self, keyPath: \\.a)")
    }

    @Test("a constant has no setter")
    func constant() {
        #expect(!Expansions.accessors("let a: Int").contains("set {"))
    }

    @Test("a name in backticks keeps them in the key path alone")
    func backticks() {
        let accessors = Expansions.accessors("var `default` = 1")
        expectContains(accessors, "initializes: _default)")
        expectContains(accessors, "of: Self._$default.property, in: self, keyPath: \\.`default`)")
    }

    @Test("peers are the mark of the initializer and the handle of the property")
    func peers() {
        expectEqual(
            Expansions.peers("var a: Int"),
            """
            @Transient private var _a: _SwiftDataNoType

            @Transient private nonisolated static let _$a = SwiftData.PersistentPropertyDeclaration("a")
            """)
    }

    @Test("the mark of an optional property is optional", arguments: ["Int?", "Int!", "[Int]?", "V1.Item?", "(Int)?"])
    func optionals(type: String) {
        expectContains(Expansions.peers("var a: \(type)"), "_a: _SwiftDataNoType?\n")
    }

    @Test("the mark of another property isn't optional", arguments: ["Optional<Int>", "[Int?]", "F<Int?>"])
    func others(type: String) {
        expectContains(Expansions.peers("var a: \(type)"), "_a: _SwiftDataNoType\n")
    }

    @Test("the handle is computed in a generic type, which can't have stored type properties")
    func genericType() {
        expectTrue(
            Expansions.peers("var a: T", in: ["class A<T> {}"]).hasSuffix(
                "static var _$a: SwiftData.PersistentProperty { SwiftData.PersistentProperty(\"a\", in: Self.self) }"))
    }

    @Test(
        "stored properties get the attribute",
        arguments: ["var a: Int", "let a = 1", "private(set) var a: Int = 1", "@Attribute(.unique) var a: Int"])
    func persisted(member: String) {
        expectEqual(Expansions.attribute(member), "@_PersistedProperty")
    }

    @Test(
        "a property with a transformer gets the attribute for it",
        arguments: [
            "@Attribute(.transformable(by: \"T\")) var a: C",
            "@Attribute(.unique, .transformable(by: T.self)) var a = C()",
        ])
    func transformableAttribute(member: String) {
        expectEqual(Expansions.attribute(member), "@_TransformablePersistedProperty")
    }

    @Test(
        "other members get none",
        arguments: [
            "@Transient var a = 1", "var a: Int { 1 }", "static var a = 1", "func f() {}",
            "struct S { var a = 1 }", "init() {}", "#Unique<A>([\\.a])", "@_PersistedProperty var a: Int", "",
        ])
    func unpersisted(member: String) {
        expectEqual(Expansions.attribute(member), "")
    }

    @Test("members of other types than classes get none")
    func structures() {
        expectEqual(Expansions.attribute("var a: Int", in: "@Model struct A {}"), "")
    }
}
