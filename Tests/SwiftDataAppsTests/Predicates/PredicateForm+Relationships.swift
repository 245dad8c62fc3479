import Foundation
import SwiftData

extension PredicateForm {
    static let relationships: [PredicateForm] = toOne + toMany

    private static let toOne: [PredicateForm] = [
        PredicateForm("keeper == nil") { _ in #Predicate { $0.keeper == nil } },
        PredicateForm("keeper != nil") { _ in #Predicate { $0.keeper != nil } },
        PredicateForm("keeper?.name == text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.keeper?.name == text }
        },
        PredicateForm("keeper?.name != text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.keeper?.name != text }
        },
        PredicateForm("(keeper?.age ?? a) > b") { random in
            let (otherwise, age) = (RandomValues.integer(&random), RandomValues.integer(&random))
            return #Predicate { ($0.keeper?.age ?? otherwise) > age }
        },
        PredicateForm("keeper?.age == nil") { _ in #Predicate { $0.keeper?.age == nil } },
        PredicateForm("keeper?.boss?.name == text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.keeper?.boss?.name == text }
        },
        PredicateForm("if let keeper, let boss") { random in
            let text = RandomValues.text(&random)
            return #Predicate { goods in
                if let keeper = goods.keeper, let boss = keeper.boss {
                    boss.name == text || keeper.name == text
                } else {
                    goods.flag
                }
            }
        },
        PredicateForm("keeper?.goods.count ?? 0 > n") { random in
            let count = Int.random(in: 0...6, using: &random)
            return #Predicate { ($0.keeper?.goods.count ?? 0) > count }
        },
        PredicateForm("keeper?.staff.contains ?? false") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.keeper?.staff.contains { $0.name == text } ?? false }
        },
        PredicateForm("!(keeper?.name == text)") { random in
            let text = RandomValues.text(&random)
            return #Predicate { !($0.keeper?.name == text) }
        },
    ]

    private static let toMany: [PredicateForm] = [
        PredicateForm("parts.isEmpty") { _ in #Predicate { $0.parts.isEmpty } },
        PredicateForm("parts.count == n") { random in
            let count = Int.random(in: 0...3, using: &random)
            return #Predicate { $0.parts.count == count }
        },
        PredicateForm("parts contain cost > n") { random in
            let cost = RandomValues.integer(&random)
            return #Predicate { $0.parts.contains { $0.cost > cost } }
        },
        PredicateForm("!(parts contain name)") { random in
            let text = RandomValues.text(&random)
            return #Predicate { !$0.parts.contains { $0.name == text } }
        },
        PredicateForm("parts contain two conditions") { random in
            let (cost, text) = (RandomValues.integer(&random), RandomValues.text(&random))
            return #Predicate { $0.parts.contains { part in part.cost > cost && part.name.contains(text) } }
        },
        PredicateForm("parts all satisfy") { random in
            let cost = RandomValues.integer(&random)
            return #Predicate { $0.parts.allSatisfy { $0.cost < cost } }
        },
        PredicateForm("parts all satisfy an optional") { random in
            let discount = RandomValues.integer(&random)
            return #Predicate { $0.parts.allSatisfy { $0.discount != discount } }
        },
        PredicateForm("filtered parts count") { random in
            let (cost, count) = (RandomValues.integer(&random), Int.random(in: 0...2, using: &random))
            return #Predicate { $0.parts.filter { $0.cost <= cost }.count == count }
        },
        PredicateForm("parts contain one dearer than number") { _ in
            #Predicate { goods in goods.parts.contains { part in part.cost > goods.number } }
        },
        PredicateForm("parts contain screws") { random in
            let length = RandomValues.integer(&random)
            return #Predicate { $0.parts.contains { part in part.screws.contains { $0.length == length } } }
        },
        PredicateForm("tags contain name") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.tags.contains { $0.name == text } }
        },
        PredicateForm("tags count and flag") { random in
            let count = Int.random(in: 0...2, using: &random)
            return #Predicate { $0.tags.count > count && !$0.flag }
        },
        PredicateForm("parts contain discount == nil") { _ in
            #Predicate { $0.parts.contains { $0.discount == nil } }
        },
    ]
}
