@Model struct Structure { var a: Int = 1 }
@Model public struct PublicStructure { var a: Int; init() {} }
@Model enum Enumeration { case a, b }
@Model actor Actor { var a: Int = 1; init() {} }
// é before
@Model
final class NoInitializer {
    var a: Int = 1
    struct Nested { init() {} }
}
@Model class NoInitializerDerived: NSObject { var a: Int = 1 }
/* comment */ @Model /* é */ final class CommentedNoInitializer { }
@Model final class TransientWithoutDefault { @Transient var a: Int; init() {} }
@Model final class TransientOnLines {
    /// Doc.
    @Transient
    public var a: [Int]
    @Attribute(.unique) @Transient var b: String
    @Transient var c: Int { didSet {} }
    init() {}
}
@Model final class FunctionTypes { var a: () -> Void; var b: ((Int) -> Int)?; var c: @Sendable (Int) async throws -> Void; @Transient var d: () -> Void = {}; init() {} }
@Model final class TupleTypes { var a: (Int, Int); var b: (x: Int, y: String)?; var c: (); var d: (Int); init() {} }
@Model final class Metatypes { var a: Int.Type; var b: (any P).Type; var c: Any.Type?; init() {} }
@Model final class Existentials { var a: any Codable; var b: (any P)?; var c: Any; var d: AnyObject?; var e: [Any]; init() {} }
@Model final class AttributeOnComputed { @Attribute(.unique) var a: Int { 1 }; @Relationship var b: Int { get { 1 } set { } }; init() {} }
@Model final class AttributeOnStatic { @Attribute(.unique) static var a = 1; @Relationship class var b: Int { 1 }; init() {} }
@Model final class AttributeOnObserved { @Attribute(.unique) var a = 1 { didSet { } }; @Relationship(deleteRule: .cascade) var b: [Pet] = [] { willSet { } }; init() {} }
@Model final class Duplicates { var a: Int = 1; var a: String = ""; init() {} }
@Model final class ImplicitMemberDefault { var a: Date = .now; @Attribute(.unique) var b: Kind = .one /* x */; init() {} }
@ModelActor class ActorMacroOnClass { init() {} }
@ModelActor struct ActorMacroOnStruct { var a = 1 }
@ModelActor enum ActorMacroOnEnum { case a }
@Model final class Broken { var a: Int = ; var b: = 1; init() {} }
@Model final class MissingType { var a; init() {} }
