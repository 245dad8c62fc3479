@Model class Base { var a: Int; init(a: Int) { self.a = a } }
@Model class Derived: Base { var b: Int = 1; init() { super.init(a: 1) } }
@Model final class DerivedFinal: Derived { var c: String?; override init() { super.init() } }
@Model public class PublicDerived: Base { public var d: Int = 1; public override init(a: Int) { super.init(a: a) } }
@Model open class OpenDerived: Base { var e = 1; override init(a: Int) { super.init(a: a) } }
@Model class DerivedEmpty: Base { override init(a: Int) { super.init(a: a) } }
@Model class DerivedQualified: App.Base { var f = 1; override init(a: Int) { super.init(a: a) } }
@Model class DerivedWithProtocols: Base, Codable, Identifiable where Int: Equatable { var g = 1; override init(a: Int) { super.init(a: a) } }
@Model public class PublicClass { public var a: Int; public init(a: Int) { self.a = a } }
@Model public final class PublicFinal { public var a: Int?; public init() {} }
@Model package final class PackageFinal { package var a: Int?; package init() {} }
@Model package class PackageClass { package var a: Int?; package init() {} }
@Model open class OpenClass { open var a: Int = 1; public init() {} }
@Model internal final class InternalFinal { var a: Int = 1; init() {} }
@Model private final class PrivateFinal { var a: Int = 1; init() {} }
@Model fileprivate class FileprivateClass { var a: Int = 1; init() {} }
final @Model public class ModifierFirst { var a: Int = 1; init() {} }
public @Model final class AccessFirst { var a: Int = 1; init() {} }
@Model nonisolated final class NonisolatedFinal { var a: Int = 1; init() {} }
@Model final class Conforming: Codable, Identifiable, @unchecked Sendable { var a: Int = 1; init() {} }
@Model final class Declared: PersistentModel { var a: Int = 1; init() {} }
@Model final class DeclaredQualified: SwiftData.PersistentModel, Hashable { var a: Int = 1; init() {} }
@Model final class WithSuperclass: NSObject { var a: Int = 1; override init() {} }
@Model final class Suppressed: ~Copyable { var a: Int = 1; init() {} }
@Model final class Generic<T: Codable> { var a: T; init(a: T) { self.a = a } }
@Model final class GenericWhere<T, U>: Codable where T: Codable, U == [T] { var a: T?; var b: U; init(b: U) { self.b = b } }
@Model final class GenericInitializer { var a = 1; init<T>(_ x: T) where T: Codable { } }
@Model final class FailableInitializer { var a = 1; init?(b: Int) { nil } }
@Model final class ThrowingInitializer { var a = 1; init() throws(Oops) { } }
@Model final class ImplicitlyFailable { var a = 1; init!(b: Int = { 1 }()) { } }
@Model final class PrivateInitializer { var a = 1; private init() { } }
@Model final class RequiredInitializer { var a = 1; required init(from decoder: any Decoder) throws { } }
@Model final class ConvenienceOnly { var a = 1; convenience init(x: Int) { self.init() } }
enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [Item.self] }
    @Model final class Item { var a: Int; init(a: Int) { self.a = a } }
    @Model public class PublicItem { var a: Int; init(a: Int) { self.a = a } }
    @Model class Deep: Item { var b = 1; override init(a: Int) { super.init(a: a) } }
    enum Inner { @Model final class Innermost { var a = 1; init() {} } }
}
extension V2 {
    @Model final class Extended { @Relationship(inverse: \V2.Extended.parent) var children: [V2.Extended] = []; var parent: Extended?; init() {} }
}
extension App.V3 { @Model final class ExtendedDeep { var a = 1; init() {} } }
struct Outer<T> { @Model final class InGeneric { var a = 1; init() {} } }
@Model final class Host {
    var a = 1
    @Model final class Guest { var b = 2; init() {} }
    struct Plain { var c = 3; static var d = 4; init() {} }
    class NoInit { var e = 5 }
    var f: Guest?
    init() {}
}
func local() { @Model final class Local { var a = 1; init() {} } }
@ModelActor actor Worker { func f() {} }
@ModelActor public actor PublicWorker { public func f() {} }
@ModelActor package actor PackageWorker { }
@ModelActor private actor PrivateWorker { }
@ModelActor final actor FinalWorker { var a = 1 }
@ModelActor public actor WithInitializer { public init(modelContainer: ModelContainer, x: Int) { modelExecutor = x; self.modelContainer = modelContainer } }
@ModelActor actor Conformer: Sendable, Loader { let name = "x" }
@SwiftData.ModelActor actor QualifiedWorker { }
@available(macOS 15, *) @ModelActor actor AvailableWorker { }
enum Namespace { @ModelActor actor NestedWorker { }; @ModelActor public actor PublicNestedWorker { } }
extension Namespace.Inner { @ModelActor actor ExtendedWorker { } }
@ModelActor actor GenericWorker<T> { var a: T? }
@Model class GenericDerived<T: Codable, U>: Base where U: Equatable { var t: T?; init(t: T?) { super.init(a: 1) } }
@Model class DerivedOfGeneric: Box<Int> { var g = 1; override init() { super.init() } }
@Model class Box<T> { var a = 1; init() {} }
