@Model final class UniqueMacro { #Unique<UniqueMacro>([\.a]); var a: Int = 1; init() {} }
@Model final class UniqueMany {
    #Unique<UniqueMany>([\.a], [\.b, \.c])
    var a: Int = 1
    var b: Int = 1
    var c: Int = 1
    init() {}
}
@Model final class IndexMacro { #Index<IndexMacro>([\.a], [\.a, \.b]); var a = 1; var b = 2; init() {} }
@Model final class IndexKinds { #Index<IndexKinds>(.binary([\.a]), .rtree([\.b, \.c])); var a = 1; var b = 2; var c = 3; init() {} }
@Model final class UniqueAndIndex {
    var a = 1
    #Unique<UniqueAndIndex>([\.a])
    var b = 2
    #Index<UniqueAndIndex>([\.b])
    init() {}
}
@Model final class UniqueWithoutType { #Unique([\UniqueWithoutType.a]); var a = 1; init() {} }
@Model final class QualifiedUnique { #SwiftData.Unique<QualifiedUnique>([\.a]); #SwiftData.Index<QualifiedUnique>([\.a]); var a = 1; init() {} }
@Model final class MultilineUnique {
    #Unique<MultilineUnique>(
        [\.a], // first
        [\.b, \.c]
    )
    var a = 1, b = 2
    var c = 3
    init() {}
}
@Model final class TwoUniques { #Unique<TwoUniques>([\.a]); #Unique<TwoUniques>([\.b]); var a = 1; var b = 1; init() {} }
@Model final class OtherMacros { #warning("soon"); #myMacro("Unique"); #Preview { Text("x") }; var a = 1; init() {} }
@Model final class UniqueOfOther { #Unique<V1.Item>([\V1.Item.a]); var a = 1; init() {} }
@Model final class Renamed { #Index<Renamed>([\.title], [\.name]); #Unique<Renamed>([\Renamed.code, \.name]); var name = ""; init() {} }
