import Foundation
import SwiftData

extension PredicateForm {
    static let numbers: [PredicateForm] = [
        PredicateForm("number == n") { random in
            let number = RandomValues.integer(&random)
            return #Predicate { $0.number == number }
        },
        PredicateForm("number between n and m") { random in
            let (low, high) = (RandomValues.integer(&random), RandomValues.integer(&random))
            return #Predicate { $0.number >= low && $0.number < high }
        },
        PredicateForm("number * a - b > c") { random in
            let factor = RandomValues.integer(&random)
            let (part, limit) = (RandomValues.integer(&random), RandomValues.integer(&random))
            return #Predicate { $0.number * factor - part > limit }
        },
        PredicateForm("number % a == b") { random in
            let (divisor, rest) = (Int.random(in: 1...4, using: &random), Int.random(in: -3...3, using: &random))
            return #Predicate { $0.number % divisor == rest }
        },
        PredicateForm("number / a == b") { random in
            let divisor = Int.random(in: 1...4, using: &random)
            let quotient = RandomValues.integer(&random)
            return #Predicate { $0.number / divisor == quotient }
        },
        PredicateForm("-number < n") { random in
            let limit = RandomValues.integer(&random)
            return #Predicate { -$0.number < limit }
        },
        PredicateForm("range of numbers contains number") { random in
            let low = RandomValues.integer(&random)
            let high = low + Int.random(in: 0...5, using: &random)
            return #Predicate { (low...high).contains($0.number) }
        },
        PredicateForm("half-open range contains ratio") { random in
            let low = RandomValues.number(&random)
            let high = low + Double.random(in: 0...2, using: &random)
            return #Predicate { (low..<high).contains($0.ratio) }
        },
        PredicateForm("list of numbers contains number") { random in
            let numbers = (0..<Int.random(in: 0...4, using: &random)).map { _ in RandomValues.integer(&random) }
            return #Predicate { numbers.contains($0.number) }
        },
        PredicateForm("ratio / a <= b") { random in
            let divisor = Double.random(in: 0.5...3, using: &random)
            let limit = RandomValues.number(&random)
            return #Predicate { $0.ratio / divisor <= limit }
        },
        PredicateForm("ratio + ratio != a") { random in
            let sum = RandomValues.number(&random)
            return #Predicate { $0.ratio + $0.ratio != sum }
        },
        PredicateForm("small == n") { random in
            let small = Int16.random(in: -4...4, using: &random)
            return #Predicate { $0.small == small }
        },
        PredicateForm("price > p") { random in
            let price = RandomValues.decimal(&random)
            return #Predicate { $0.price > price }
        },
        PredicateForm("flag chooses the comparison") { random in
            let (low, high) = (RandomValues.integer(&random), RandomValues.integer(&random))
            return #Predicate { $0.flag ? $0.number > low : $0.number < high }
        },
        PredicateForm("flag chooses the operand") { random in
            let limit = RandomValues.integer(&random)
            return #Predicate { ($0.flag ? $0.number : limit) >= limit }
        },
    ]

    static let values: [PredicateForm] = [
        PredicateForm("flag") { _ in #Predicate { $0.flag } },
        PredicateForm("!flag || number > n") { random in
            let limit = RandomValues.integer(&random)
            return #Predicate { !$0.flag || $0.number > limit }
        },
        PredicateForm("!(flag && number > n)") { random in
            let limit = RandomValues.integer(&random)
            return #Predicate { !($0.flag && $0.number > limit) }
        },
        PredicateForm("flag == captured") { random in
            let flag = Bool.random(using: &random)
            return #Predicate { $0.flag == flag }
        },
        PredicateForm("date < d") { random in
            let date = RandomValues.date(&random)
            return #Predicate { $0.date < date }
        },
        PredicateForm("range of dates contains date") { random in
            let first = RandomValues.date(&random)
            let last = first.addingTimeInterval(2 * 86_400)
            return #Predicate { (first...last).contains($0.date) }
        },
        PredicateForm("uuid == u") { random in
            let uuid = RandomValues.uuid(&random)
            return #Predicate { $0.uuid == uuid }
        },
        PredicateForm("list of uuids contains uuid") { random in
            let uuids = Set((0..<3).map { _ in RandomValues.uuid(&random) })
            return #Predicate { uuids.contains($0.uuid) }
        },
        PredicateForm("data == d") { random in
            let data = RandomValues.data(&random)
            return #Predicate { $0.data == data }
        },
        PredicateForm("true or false") { random in
            let value = Bool.random(using: &random)
            return #Predicate { _ in value }
        },
        PredicateForm("labels contain text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.labels.contains(text) }
        },
        PredicateForm("labels are empty") { _ in #Predicate { $0.labels.isEmpty } },
    ]

    static let optionals: [PredicateForm] = [
        PredicateForm("nickname == nil") { _ in #Predicate { $0.nickname == nil } },
        PredicateForm("nickname == text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.nickname == text }
        },
        PredicateForm("nickname != text") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.nickname != text }
        },
        PredicateForm("nickname == optional text") { random in
            let text = random.chance(1, of: 2) ? nil : RandomValues.text(&random)
            return #Predicate { $0.nickname == text }
        },
        PredicateForm("(nickname ?? a) == b") { random in
            let (other, text) = (RandomValues.text(&random), RandomValues.text(&random))
            return #Predicate { ($0.nickname ?? other) == text }
        },
        PredicateForm("if let nickname") { random in
            let (text, otherwise) = (RandomValues.text(&random), Bool.random(using: &random))
            return #Predicate { goods in
                if let nickname = goods.nickname {
                    nickname == text
                } else {
                    otherwise
                }
            }
        },
        PredicateForm("weight != nil && weight! > w") { random in
            let weight = Float(RandomValues.number(&random))
            return #Predicate { $0.weight != nil && $0.weight! > weight }
        },
        PredicateForm("(weight ?? 0) < w") { random in
            let weight = Float(RandomValues.number(&random))
            return #Predicate { ($0.weight ?? 0) < weight }
        },
        PredicateForm("nickname?.isEmpty ?? b") { random in
            let otherwise = Bool.random(using: &random)
            return #Predicate { $0.nickname?.isEmpty ?? otherwise }
        },
        PredicateForm("nickname.flatMap contains") { random in
            let text = RandomValues.text(&random)
            return #Predicate { $0.nickname.flatMap { $0.contains(text) } ?? false }
        },
        PredicateForm("finished == nil || finished! < d") { random in
            let date = RandomValues.date(&random)
            return #Predicate { $0.finished == nil || $0.finished! < date }
        },
        PredicateForm("link == url") { random in
            let link = RandomValues.url(&random)
            return #Predicate { $0.link == link }
        },
        PredicateForm("!(nickname == text)") { random in
            let text = RandomValues.text(&random)
            return #Predicate { !($0.nickname == text) }
        },
    ]
}
