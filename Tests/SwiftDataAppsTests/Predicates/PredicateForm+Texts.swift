import Foundation
import SwiftData

extension PredicateForm {
    static let texts: [PredicateForm] = [
        PredicateForm("name contains text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.name.contains(text) }
        },
        PredicateForm("text contains name") { random in
            let text = RandomValues.text(&random) + RandomValues.text(&random)
            return #Predicate { text.contains($0.name) }
        },
        PredicateForm("name starts with text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.name.starts(with: text) }
        },
        PredicateForm("name localizedStandardContains text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.name.localizedStandardContains(text) }
        },
        PredicateForm("(nickname ?? name) localizedStandardContains text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { ($0.nickname ?? $0.name).localizedStandardContains(text) }
        },
        PredicateForm("name.isEmpty") { _ in #Predicate { $0.name.isEmpty } },
        PredicateForm("name < text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.name < text }
        },
        PredicateForm("name >= nickname") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.name >= ($0.nickname ?? text) }
        },
        PredicateForm("name.count > n") { random in
            let count = Int.random(in: 0...3, using: &random)
            return #Predicate { $0.name.count > count }
        },
        PredicateForm("list of texts contains name") { random in
            let texts = (0..<3).map { _ in RandomValues.text(&random) }
            return #Predicate { texts.contains($0.name) }
        },
        PredicateForm("nickname! == name") { _ in #Predicate { $0.nickname != nil && $0.nickname! == $0.name } },
    ]

    static let enumerations: [PredicateForm] = [
        PredicateForm("kind == k") { random in
            let kind = PartKind.allCases.randomElement(using: &random)!
            return #Predicate { $0.kind == kind }
        },
        PredicateForm("kind.rawValue == text") { random in
            let text = PartKind.allCases.randomElement(using: &random)!.rawValue
            return #Predicate { $0.kind.rawValue == text }
        },
        PredicateForm("list of kinds contains kind") { random in
            let kinds = PartKind.allCases.filter { _ in random.chance(1, of: 2) }
            return #Predicate { kinds.contains($0.kind) }
        },
        PredicateForm("level == optional level") { random in
            let level = random.chance(1, of: 3) ? nil : GoodsLevel.allCases.randomElement(using: &random)
            return #Predicate { $0.level == level }
        },
        PredicateForm("level != level") { random in
            let level = GoodsLevel.allCases.randomElement(using: &random)!
            return #Predicate { $0.level != level }
        },
        PredicateForm("(level?.rawValue ?? a) > b") { random in
            let (otherwise, limit) = (RandomValues.integer(&random), RandomValues.integer(&random))
            return #Predicate { ($0.level?.rawValue ?? otherwise) > limit }
        },
    ]

    static let structures: [PredicateForm] = [
        PredicateForm("extent.width > n") { random in
            let width = RandomValues.integer(&random)
            return #Predicate { $0.extent.width > width }
        },
        PredicateForm("extent.height == nil") { _ in #Predicate { $0.extent.height == nil } },
        PredicateForm("(extent.height ?? 0) < a") { random in
            let height = RandomValues.number(&random)
            return #Predicate { ($0.extent.height ?? 0) < height }
        },
        PredicateForm("extent.label contains text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.extent.label.contains(text) }
        },
        PredicateForm("box == nil") { _ in #Predicate { $0.box == nil } },
        PredicateForm("box?.width == n") { random in
            let width = RandomValues.integer(&random)
            return #Predicate { $0.box?.width == width }
        },
        PredicateForm("(box?.height ?? a) >= b") { random in
            let (otherwise, height) = (RandomValues.number(&random), RandomValues.number(&random))
            return #Predicate { ($0.box?.height ?? otherwise) >= height }
        },
        PredicateForm("extent == structure") { random in
            let extent = RandomValues.extent(&random)
            return #Predicate { $0.extent == extent }
        },
    ]

    static let classes: [PredicateForm] = [
        PredicateForm("is SpecialGoods") { _ in #Predicate { $0 is SpecialGoods } },
        PredicateForm("!(is SpecialGoods)") { _ in #Predicate { !($0 is SpecialGoods) } },
        PredicateForm("(as? SpecialGoods)?.extra == n") { random in
            let extra = Int.random(in: 0...3, using: &random)
            return #Predicate { ($0 as? SpecialGoods)?.extra == extra }
        },
        PredicateForm("if let as? SpecialGoods") { random in
            let text = RandomValues.text(&random)
            return #Predicate { goods in
                if let special = goods as? SpecialGoods, let remark = special.remark {
                    remark == text
                } else {
                    goods.name == text
                }
            }
        },
    ]
}
