@Model final class Numbers { var a = 0; var b = -1; var c = 1.5e-3; var d: Float = 0x1p-2; var e = 1_000; var f: Int8 = .max; init() {} }
@Model final class Strings {
    var plain = "a"
    var escaped = "a \" b \\ \u{41} {"
    var raw = #"a "b" \(c)"#
    var interpolated = "a \(1 + 2) b \("c \(3, radix: 4)") d"
    var lines = """
        first "line"
          second \(1)
        """
    var rawLines = #"""
        raw """ \n
        """#
    var empty = ""
    var other: String = "}"
    init() {}
}
@Model final class Closures {
    var made: Date = { let now = Date(); return now }()
    var lines: Int = {
        var sum = 0
        for i in 0..<3 { sum += i }
        return sum
    }()
    var trailing: [Int] = [1, 2].map { $0 + 1 }
    var several: Int = run { 1 } second: { 2 }
    var after = 1
    init() {}
}
@Model final class Collections {
    var a: [String] = []
    var b: [String: Int] = [:]
    var c: [String: [Int?]] = ["a": [1, nil], "b": []]
    var d = [Int]()
    var e: Set<String> = ["x", "y"]
    var f = Dictionary<String, Int>()
    var g = Array<Dictionary<String, [Int]>>(), h = 3
    init() {}
}
@Model final class Operators {
    var a = 1 + 2
    var b = 1
        + 2
        - 3
    var c = x
        ?? y
    var d = isOn ? 1 : 2
    var e = isOn
        ? 1
        : 2
    var f = 1 < 2 && 3 > 2
    var g = a as? Int
    var h = a
        as! Int
    var i = b is Int
    var j: Bool = !true
    var k = 1 ..< 3
    var l = ...5
    init() {}
}
@Model final class Members {
    var a = Date()
        .addingTimeInterval(1)
        .timeIntervalSince1970
    var b = Foo.shared?.value ?? 0
    var c = Foo.make<Int, String>(1)
    var d = Foo<Int>.default
    var e = Foo<Int, [String: Int]>(a: 1, b: 2)[3]!
    var f = try! Foo()
    var g = Foo().self
    var h = \Foo.bar
    var i = #file
    var j = #Predicate<Foo> { $0.a == 1 }
    var k = /re"g/
    init() {}
}
@Model final class Expressions {
    var a = if isOn { 1 } else { 2 }
    var b = switch x { case 1: "a"; default: "b" }
    var c = if isOn {
        1
    } else if isOff {
        2
    } else {
        3
    }
    var d = (1, 2).0
    var e = ((1))
    var f: Int? = nil
    var g = nil as Int?
    var h: Optional<Int> = .none
    init() {}
}
@Model final class Semicolons { var a = 1; var b = 2 ; var c: Int = 3; init() {}; func f() {}; var d = 4 }
@Model final class ImplicitMembers { var a: Date = .now; var b: Status = .active; var c: Double = .pi * 2; var d: [Int] = .init(); init() {} }
@Model final class InferredTypes { var a = Date(), b = UUID(); let c = "x"; var d = true; init() {} }
@Model final class Ranges { var a = 0...9; var b = (0..<3).map(\.self); var c = [1, 2][0]; init() {} }
@Model final class Keywords { var a = self; var b = Self.shared; var c = super.x; init() {} }
@Model final class Comments {
    // var no: Int = 1
    /* var no: Int /* nested */ */
    var a /* name */ : /* type */ Int /* before */ = /* value */ 1 // after
    /// A doc comment with @Transient and {
    var b: Int = /* in front */ 2 /* behind */
    var c = [ // open
        1, // one
        2 /* two */,
    ] // closed
    init() {} // }
}
@Model final class ValueThenAccessors {
    var a: Int = 0 { didSet { print("{") } }
    var b: [Int] = [1].map { $0 } { willSet { } didSet { } }
    var c = 0
    { didSet {} }
    var d = 1
    init() {}
}
@Model final class GenericValue { var a: Result<Int, Error>? = .success(1); var b = max(1, 2), c = min<Int>(1, 2); init() {} }
@Model final class Unicode { var größe = 1; var 名前: String = "é"; var 🎉 = "party"; init() {} }
@Model final class Windows { var a = 1; init() {} }
