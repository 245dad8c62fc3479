import Foundation
import SwiftData
import TestSupport

enum PartKind: String, Codable, CaseIterable {
    case wood, steel, glass
}

enum GoodsLevel: Int, Codable, CaseIterable {
    case low = -1
    case middle = 5
    case high = 9
}

struct Extent: Codable, Hashable {
    var width: Int
    var height: Double?
    var label: String
}

@Model
class Goods {
    var number: Int
    var small: Int16
    var ratio: Double
    var weight: Float?
    var name: String
    var nickname: String?
    var flag: Bool
    var date: Date
    var finished: Date?
    var price: Decimal
    var uuid: UUID
    var link: URL?
    var data: Data
    var kind: PartKind
    var level: GoodsLevel?
    var extent: Extent
    var box: Extent?
    var labels: [String]
    var keeper: GoodsKeeper?
    @Relationship(deleteRule: .cascade, inverse: \GoodsPart.goods) var parts: [GoodsPart] = []
    @Relationship(inverse: \GoodsTag.goods) var tags: [GoodsTag] = []

    init(using random: inout SeededGenerator) {
        number = .random(in: -4...8, using: &random)
        small = .random(in: -3...3, using: &random)
        ratio = RandomValues.number(&random)
        weight = random.chance(1, of: 3) ? nil : Float(RandomValues.number(&random))
        name = RandomValues.text(&random)
        nickname = random.chance(1, of: 3) ? nil : RandomValues.text(&random)
        flag = .random(using: &random)
        date = RandomValues.date(&random)
        finished = random.chance(1, of: 2) ? nil : RandomValues.date(&random)
        price = RandomValues.decimal(&random)
        uuid = RandomValues.uuid(&random)
        link = random.chance(1, of: 2) ? nil : RandomValues.url(&random)
        data = RandomValues.data(&random)
        kind = PartKind.allCases.randomElement(using: &random)!
        level = random.chance(1, of: 3) ? nil : GoodsLevel.allCases.randomElement(using: &random)
        extent = RandomValues.extent(&random)
        box = random.chance(1, of: 2) ? nil : RandomValues.extent(&random)
        labels = (0..<Int.random(in: 0...3, using: &random)).map { _ in RandomValues.text(&random) }
    }
}

@Model
final class SpecialGoods: Goods {
    var extra: Int
    var remark: String?

    override init(using random: inout SeededGenerator) {
        extra = .random(in: 0...3, using: &random)
        remark = random.chance(1, of: 2) ? nil : RandomValues.text(&random)
        super.init(using: &random)
    }
}

@Model
final class GoodsKeeper {
    var name: String
    var age: Int?
    var boss: GoodsKeeper?
    @Relationship(inverse: \GoodsKeeper.boss) var staff: [GoodsKeeper] = []
    @Relationship(inverse: \Goods.keeper) var goods: [Goods] = []

    init(name: String, age: Int?) {
        self.name = name
        self.age = age
    }
}

@Model
final class GoodsPart {
    var name: String
    var cost: Int
    var discount: Int?
    var goods: Goods?
    @Relationship(deleteRule: .cascade, inverse: \GoodsScrew.part) var screws: [GoodsScrew] = []

    init(name: String, cost: Int, discount: Int?) {
        self.name = name
        self.cost = cost
        self.discount = discount
    }
}

@Model
final class GoodsScrew {
    var length: Int
    var part: GoodsPart?

    init(length: Int) { self.length = length }
}

@Model
final class GoodsTag {
    var name: String
    var goods: [Goods] = []

    init(name: String) { self.name = name }
}

/// Random values from small ranges, so that predicates meet them.
enum RandomValues {
    static let texts = ["", "a", "A", "ab", "Ab", "b%", "b_", "ä", "Äb", "ß", "'", "zoë", "10", "9"]

    static func text(_ random: inout SeededGenerator) -> String { texts.randomElement(using: &random)! }
    static func integer(_ random: inout SeededGenerator) -> Int { .random(in: -5...9, using: &random) }
    static func number(_ random: inout SeededGenerator) -> Double { Double(Int.random(in: -8...8, using: &random)) / 4 }
    static func date(_ random: inout SeededGenerator) -> Date { day(.random(in: 0...6, using: &random)) }
    static func url(_ random: inout SeededGenerator) -> URL {
        URL(string: ["https://a.example", "https://b.example/x?y=1", "file:///tmp/a"].randomElement(using: &random)!)!
    }
    static func decimal(_ random: inout SeededGenerator) -> Decimal {
        Decimal(Int.random(in: -30...300, using: &random)) / 100
    }
    static func uuid(_ random: inout SeededGenerator) -> UUID {
        UUID(uuidString: "00000000-0000-0000-0000-00000000000\(Int.random(in: 0...5, using: &random))")!
    }
    static func data(_ random: inout SeededGenerator) -> Data {
        Data((0..<Int.random(in: 0...2, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) })
    }
    static func extent(_ random: inout SeededGenerator) -> Extent {
        Extent(
            width: integer(&random), height: random.chance(1, of: 2) ? nil : number(&random), label: text(&random))
    }
}

extension ModelContext {
    /// Inserts random goods with keepers, parts and tags.
    func insertGoods(_ count: Int, using random: inout SeededGenerator) {
        let keepers = RandomValues.texts.prefix(6).map { name in
            GoodsKeeper(name: name, age: random.chance(1, of: 3) ? nil : RandomValues.integer(&random))
        }
        for keeper in keepers where random.chance(1, of: 2) { keeper.boss = keepers.randomElement(using: &random) }
        let tags = RandomValues.texts.prefix(5).map { GoodsTag(name: $0) }
        for keeper in keepers { insert(keeper) }
        for _ in 0..<count {
            let goods = random.chance(1, of: 4) ? SpecialGoods(using: &random) : Goods(using: &random)
            insert(goods)
            goods.keeper = random.chance(1, of: 3) ? nil : keepers.randomElement(using: &random)
            goods.tags = tags.filter { _ in random.chance(1, of: 4) }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let part = GoodsPart(
                    name: RandomValues.text(&random), cost: RandomValues.integer(&random),
                    discount: random.chance(1, of: 2) ? nil : RandomValues.integer(&random))
                part.screws = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    GoodsScrew(length: RandomValues.integer(&random))
                }
                goods.parts.append(part)
            }
        }
    }
}
