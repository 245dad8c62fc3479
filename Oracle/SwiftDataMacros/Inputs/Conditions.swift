@Model final class ConditionalProperty {
    var a: Int = 1
    #if os(Linux)
    var b: Int = 2
    #endif
    var c: Int?
    init() {}
}
@Model final class ConditionalElse {
    #if os(Linux)
    var a: Int = 2
    #elseif os(macOS) || DEBUG
    var b: String?
    #else
    @Attribute(.unique) var c: String = "x"
    #endif
    init() {}
}
@Model final class NestedConditions {
    #if A
    var a = 1
    #if B
    var b = 2
    #else
    var c = 3
    #endif
    #endif
    var d = 4
    init() {}
}
@Model final class ConditionalInitializer {
    var a: Int = 1
    #if DEBUG
    init() {}
    #else
    init() {}
    #endif
}
@Model final class ConditionalUnique {
    var a: Int = 1
    #if compiler(>=6.0)
    #Unique<ConditionalUnique>([\.a])
    #endif
    init() {}
}
@Model final class ConditionalTransient {
    #if canImport(Foundation) && !os(Windows)
    @Transient var a: Int = 1
    @Transient var b: Int
    #endif
    init() {}
}
@Model final class ConditionalMethod {
    var a = 1
    #if DEBUG
    func f() { var x = 1; x += 1 }
    var computed: Int { 1 }
    #endif
    var b = 2
    init() {}
}
@Model final class ConditionalInBody {
    var a: Int = {
        #if DEBUG
        return 1
        #else
        return 2
        #endif
    }()
    init() {
        #if DEBUG
        a = 1
        #endif
    }
}
#if DEBUG
@Model final class InCondition { var a = 1; init() {} }
#endif
