@Model final class Computed {
    var a: Int
    var b: Int { a + 1 }
    var c: Int { get { a } set { a = newValue } }
    var d: Int { get async throws { 1 } }
    var e: Int { _read { yield a } _modify { yield &a } }
    var f: Int { @inlinable get { 1 } nonmutating set { } }
    var g: [Int] { [1].map { $0 } }
    init(a: Int) { self.a = a }
}
@Model final class Observed {
    var a: Int = 0 { didSet { print(oldValue) } }
    var b: Int { willSet(value) { print(value) } didSet(old) { } }
    var c: Int = 1
    init() { b = 0 }
}
@Model final class TakenNames { var backingData: Data?; var observationRegistrar: Int; init() { observationRegistrar = 1 } }
@Model final class Constants { let a: Int; let b = "x"; let c: Int? = nil; private let d: [Int] = []; init(a: Int) { self.a = a } }
@Model final class Several { var a, b: Int; var c = 1, d = 2; var e: Int, f: String?; let g = 1, h: Int; init() {} }
@Model final class SeveralTransient { @Transient var a = 1, b = 2; @Transient var c, d: Int; init() {} }
@Model final class SeveralComputed { var a = 1, b: Int { 2 }; init() {} }
@Model final class Patterns { var (a, b) = (1, 2); var c = 3; init() {} }
@Model final class Backticks { var `default`: Int; var `class` = 1; @Attribute(.unique) var `in`: String?; var `plain`: Int; init() {} }
@Model final class `Protocol` { var a: Int; init(a: Int) { self.a = a } }
@Model final class RawIdentifiers { var `a b`: Int = 1; init() {} }
@Model final class Statics { static var a = 1; static let b = 2; class var c: Int { 1 }; static var d: Int { 1 }; var e = 5; init() {} }
@Model final class AccessLevels {
    public var a: Int = 0
    private var b: Int = 0
    fileprivate var c: Int = 0
    internal var d: Int = 0
    package var e: Int = 0
    public private(set) var f: Int = 0
    private(set) var g: Int = 0
    public internal(set) final var h: Int = 0
    init() {}
}
@Model final class Modifiers {
    weak var a: Owner?
    unowned var b: Owner
    unowned(unsafe) var c: Owner
    lazy var d = 1
    nonisolated(unsafe) var e: Int = 0
    nonisolated var f: Int = 0
    final var g: Int = 0
    dynamic var h: Int = 0
    init() {}
}
@Model final class TransientForms {
    @Transient var a = 1
    @Transient var b: Int? 
    @Transient var c: Int!
    @Transient var d: Int { 1 }
    @Transient var e: Int = 2 { didSet {} }
    @Transient let f: Int = 1
    @Transient lazy var g = 1
    @Transient static var h: Int = 1
    @Transient private var i: [String: Int] = [:]
    @Transient() var j = 1
    init() {}
}
@Model final class Optionals {
    var a: Int?
    var b: Int!
    var c: Optional<Int>
    var d: [Int]?
    var e: [Int?]
    var f: Int??
    var g: (Int)?
    var h: V1.Item?
    var i: Result<Int?, Error>
    init() {}
}
@Model final class Types {
    var a: [String: [Int]]
    var b: Dictionary<String, Set<Int>>?
    var c: Swift.Int
    var d: Measurement<UnitLength>
    var e: ClosedRange<Date>?
    var f: [[[Int]]]
    var g: Foo.Bar<Int>.Baz
    var h: Foo<Int>?
    init() {}
}
@Model final class PropertyWrappers { @Published var a = 1; @Wrapped(key: "x") var b: Int = 2; @Wrapped<Int> var c = 3; init() {} }
@Model final class InitAccessors {
    @Attribute(.unique) var id: String = ""
    @Transient var modelID: ModelID {
        @storageRestrictions(accesses: _$backingData, initializes: _id)
        init(initialValue) {
            _$backingData.setValue(forKey: \.id, to: initialValue.string)
            _id = _SwiftDataNoType()
        }
        get { ModelID(id) }
        set { id = newValue.string }
    }
    init() {}
}
@Model final class Underscores { var _a: Int = 1; private var _children: [Pet] = []; var a_: Int = 2; init() {} }
@Model final class Empty { init() {} }
@Model final class OnlyTransient { @Transient var a = 1; init() {} }
@Model final class MethodsBetween {
    var a: Int = 1
    func f(_ x: Int = 1) -> Int { let inner = 2; var other = 3; return inner + other }
    var b: Int = 2
    subscript(index: Int) -> Int { get { index } set { } }
    static func == (left: MethodsBetween, right: MethodsBetween) -> Bool { left.a == right.a }
    deinit { let x = 1; print(x) }
    var c: Int = 3
    typealias Alias = Int
    enum Kind: String, Codable { case one, two; var x: Int { 1 } }
    struct Value: Codable { var y = 1; init() {} }
    var d: Kind = Kind.one
    init() {}
    convenience init(a: Int) { self.init() }
}
