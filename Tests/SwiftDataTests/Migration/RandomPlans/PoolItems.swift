/// Forms of a model with the name Item. Renamed properties have their first name as the original one.
enum PoolItems {
    static let all: [any PoolRow.Type] = [
        First.Item.self, Noted.Item.self, Renamed.Item.self, Measured.Item.self, Graded.Item.self, Loose.Item.self,
    ]

    enum Grade: String, Codable { case low, high }

    enum First {
        @Model final class Item: PoolRow {
            var key: Int
            var name: String = "new"
            var count: Int = 1

            init(key: Int) { self.key = key }

            static var fields: [PoolField] { [.required("name", .text("new")), .required("count", .number(1))] }

            var values: [String: PoolValue] {
                get { ["name": PoolValue(name), "count": PoolValue(count)] }
                set {
                    name = newValue["name"]?.text ?? name
                    count = newValue["count"]?.number.map { Int($0) } ?? count
                }
            }
        }
    }

    enum Noted {
        @Model final class Item: PoolRow {
            var key: Int
            var name: String = "new"
            var count: Int = 1
            var note: String?

            init(key: Int) { self.key = key }

            static var fields: [PoolField] { First.Item.fields + [.optional("note")] }

            var values: [String: PoolValue] {
                get { ["name": PoolValue(name), "count": PoolValue(count), "note": PoolValue(note)] }
                set {
                    name = newValue["name"]?.text ?? name
                    count = newValue["count"]?.number.map { Int($0) } ?? count
                    note = newValue["note"]?.text
                }
            }
        }
    }

    enum Renamed {
        @Model final class Item: PoolRow {
            var key: Int
            @Attribute(originalName: "name") var label: String = "new"
            @Attribute(originalName: "count") var quantity: Int = 1

            init(key: Int) { self.key = key }

            static var fields: [PoolField] { First.Item.fields }

            var values: [String: PoolValue] {
                get { ["name": PoolValue(label), "count": PoolValue(quantity)] }
                set {
                    label = newValue["name"]?.text ?? label
                    quantity = newValue["count"]?.number.map { Int($0) } ?? quantity
                }
            }
        }
    }

    /// The number has another type, and there is a new one with a default value.
    enum Measured {
        @Model final class Item: PoolRow {
            var key: Int
            @Attribute(originalName: "name") var heading: String = "new"
            @Attribute(originalName: "count") var amount: Double = 1
            var isOpen: Bool = true

            init(key: Int) { self.key = key }

            static var fields: [PoolField] { First.Item.fields + [.required("isOpen", .flag(true))] }

            var values: [String: PoolValue] {
                get { ["name": PoolValue(heading), "count": PoolValue(amount), "isOpen": .flag(isOpen)] }
                set {
                    heading = newValue["name"]?.text ?? heading
                    amount = newValue["count"]?.number ?? amount
                    isOpen = newValue["isOpen"]?.flag ?? isOpen
                }
            }
        }
    }

    /// There is an enumeration with raw values, and no number.
    enum Graded {
        @Model final class Item: PoolRow {
            var key: Int
            var name: String = "new"
            var isOpen: Bool = true
            var grade: Grade = Grade.low

            init(key: Int) { self.key = key }

            static var fields: [PoolField] {
                [
                    .required("name", .text("new")), .required("isOpen", .flag(true)),
                    .required("grade", .text("low")),
                ]
            }

            var values: [String: PoolValue] {
                get { ["name": PoolValue(name), "isOpen": .flag(isOpen), "grade": .text(grade.rawValue)] }
                set {
                    name = newValue["name"]?.text ?? name
                    isOpen = newValue["isOpen"]?.flag ?? isOpen
                    grade = newValue["grade"]?.text.flatMap { Grade(rawValue: $0) } ?? grade
                }
            }
        }
    }

    /// The values are optional, and the enumeration has another name.
    enum Loose {
        @Model final class Item: PoolRow {
            var key: Int
            var name: String?
            var count: Int?
            @Attribute(originalName: "grade") var class_: Grade = Grade.high
            var note: String?

            init(key: Int) { self.key = key }

            static var fields: [PoolField] {
                [.optional("name"), .optional("count"), .required("grade", .text("high")), .optional("note")]
            }

            var values: [String: PoolValue] {
                get {
                    [
                        "name": PoolValue(name), "count": PoolValue(count), "grade": .text(class_.rawValue),
                        "note": PoolValue(note),
                    ]
                }
                set {
                    name = newValue["name"]?.text
                    count = newValue["count"]?.number.map { Int($0) }
                    class_ = newValue["grade"]?.text.flatMap { Grade(rawValue: $0) } ?? class_
                    note = newValue["note"]?.text
                }
            }
        }
    }
}
