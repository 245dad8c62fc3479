import Foundation
import SwiftData

extension PredicateForm {
    static let combinations: [PredicateForm] = comparisons + chains + sequences

    private static let comparisons: [PredicateForm] = [
        PredicateForm("flag == (number > n)") { random in
            let limit = RandomValues.integer(&random)
            return #Predicate { $0.flag == ($0.number > limit) }
        },
        PredicateForm("(name == text) != flag") { random in
            let text = RandomValues.text(&random)
            return #Predicate { ($0.name == text) != $0.flag }
        },
        PredicateForm("price * 2 > p") { random in
            let price = RandomValues.decimal(&random)
            return #Predicate { $0.price * 2 > price }
        },
        PredicateForm("(finished ?? date) >= date") { _ in #Predicate { ($0.finished ?? $0.date) >= $0.date } },
        PredicateForm("a choice between texts") { random in
            let text = RandomValues.text(&random)
            return #Predicate { ($0.nickname == nil ? $0.name : $0.nickname!) == text }
        },
        PredicateForm("name contains nickname") { _ in #Predicate { $0.name.contains($0.nickname ?? "?") } },
        PredicateForm("(nickname?.count ?? 0) > n") { random in
            let count = Int.random(in: 0...2, using: &random)
            return #Predicate { ($0.nickname?.count ?? 0) > count }
        },
        PredicateForm("link?.absoluteString == text") { random in
            let text = RandomValues.url(&random).absoluteString
            return #Predicate { $0.link?.absoluteString == text }
        },
        PredicateForm("level?.rawValue == n") { random in
            let value = [-1, 0, 5, 9].randomElement(using: &random)!
            return #Predicate { $0.level?.rawValue == value }
        },
        PredicateForm("level == nil || level! == level") { random in
            let level = GoodsLevel.allCases.randomElement(using: &random)!
            return #Predicate { $0.level == nil || $0.level! == level }
        },
        PredicateForm("box != nil && box!.width > n") { random in
            let width = RandomValues.integer(&random)
            return #Predicate { $0.box != nil && $0.box!.width > width }
        },
        PredicateForm("box?.label.isEmpty ?? b") { random in
            let otherwise = Bool.random(using: &random)
            return #Predicate { $0.box?.label.isEmpty ?? otherwise }
        },
        PredicateForm("box == structure") { random in
            let box = RandomValues.extent(&random)
            return #Predicate { $0.box == box }
        },
        PredicateForm("box?.width == extent width") { random in
            let limit = RandomValues.integer(&random)
            return #Predicate { ($0.box?.width ?? limit) == $0.extent.width }
        },
    ]

    private static let chains: [PredicateForm] = [
        PredicateForm("keeper?.name == nickname") { _ in #Predicate { $0.keeper?.name == $0.nickname } },
        PredicateForm("keeper?.name != nickname") { _ in #Predicate { $0.keeper?.name != $0.nickname } },
        PredicateForm("keeper?.boss == nil") { _ in #Predicate { $0.keeper?.boss == nil } },
        PredicateForm("(keeper?.age ?? a) + number > b") { random in
            let (otherwise, limit) = (RandomValues.integer(&random), RandomValues.integer(&random))
            return #Predicate { ($0.keeper?.age ?? otherwise) + $0.number > limit }
        },
        PredicateForm("keeper.flatMap") { random in
            let (text, otherwise) = (RandomValues.text(&random), Bool.random(using: &random))
            return #Predicate { $0.keeper.flatMap { $0.name == text } ?? otherwise }
        },
        PredicateForm("keeper?.goods.contains ?? b") { random in
            let (number, otherwise) = (RandomValues.integer(&random), Bool.random(using: &random))
            return #Predicate { $0.keeper?.goods.contains { $0.number == number } ?? otherwise }
        },
        PredicateForm("(keeper?.goods.filter.count ?? 0) > n") { random in
            let count = Int.random(in: 0...3, using: &random)
            return #Predicate { ($0.keeper?.goods.filter { $0.flag }.count ?? 0) > count }
        },
        PredicateForm("((as? SpecialGoods)?.remark ?? a) == b") { random in
            let (otherwise, text) = (RandomValues.text(&random), RandomValues.text(&random))
            return #Predicate { (($0 as? SpecialGoods)?.remark ?? otherwise) == text }
        },
        PredicateForm("is SpecialGoods && parts") { random in
            let cost = RandomValues.integer(&random)
            return #Predicate { goods in
                (goods is SpecialGoods) == goods.parts.contains { part in part.cost > cost }
            }
        },
    ]

    private static let sequences: [PredicateForm] = [
        PredicateForm("parts contain (discount ?? a) > b") { random in
            let (otherwise, discount) = (RandomValues.integer(&random), RandomValues.integer(&random))
            return #Predicate { $0.parts.contains { ($0.discount ?? otherwise) > discount } }
        },
        PredicateForm("filtered parts are empty") { random in
            let cost = RandomValues.integer(&random)
            return #Predicate { $0.parts.filter { $0.cost > cost }.isEmpty }
        },
        PredicateForm("!(parts all satisfy)") { random in
            let text = RandomValues.text(&random)
            return #Predicate { !$0.parts.allSatisfy { $0.name != text } }
        },
        PredicateForm("parts whose goods are flagged") { random in
            let flag = Bool.random(using: &random)
            return #Predicate { $0.parts.contains { $0.goods?.flag == flag } }
        },
        PredicateForm("tags of several goods") { random in
            let count = Int.random(in: 5...15, using: &random)
            return #Predicate { $0.tags.contains { $0.goods.count > count } }
        },
        PredicateForm("parts of which all screws satisfy") { random in
            let length = RandomValues.integer(&random)
            return #Predicate { $0.parts.contains { part in part.screws.allSatisfy { $0.length > length } } }
        },
        PredicateForm("list of texts contains where") { random in
            let texts = (0..<3).map { _ in RandomValues.text(&random) }
            return #Predicate { goods in texts.contains { $0 == goods.name } }
        },
        PredicateForm("list of texts all satisfy") { random in
            let texts = (0..<2).map { _ in RandomValues.text(&random) }
            return #Predicate { goods in texts.allSatisfy { $0 != goods.name } }
        },
        PredicateForm("data.isEmpty") { _ in #Predicate { $0.data.isEmpty } },
        PredicateForm("labels.max() == text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.labels.max() == text }
        },
        PredicateForm("labels contain where") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.labels.contains { $0.contains(text) } }
        },
    ]
}
