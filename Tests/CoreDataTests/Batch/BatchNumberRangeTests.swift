import CoreData
import Testing

@Suite("Numbers beyond integer attributes")
struct BatchNumberRangeTests {
    static let numbers: [NSNumber] = [
        NSNumber(value: UInt64.max), NSNumber(value: 1e300), NSNumber(value: -1e300), NSNumber(value: Double.nan),
        NSNumber(value: Double.infinity), NSDecimalNumber(string: "1e20"), NSDecimalNumber.notANumber,
    ]
    static let keys = ["short", "medium", "long"]

    private static func makeModel() -> NSManagedObjectModel {
        model([
            entity(
                "Item",
                [
                    attribute("short", .integer16AttributeType), attribute("medium", .integer32AttributeType),
                    attribute("long", .integer64AttributeType),
                    composite("inner", [attribute("long", .integer64AttributeType)]),
                ])
        ])
    }

    @Test("are refused by batch insertions and updates", arguments: numbers.indices, keys + ["inner"])
    func batches(_ index: Int, _ key: String) throws {
        let value: Any = key == "inner" ? ["long": Self.numbers[index]] : Self.numbers[index]
        try withStack(.tables, model: Self.makeModel()) { stack in
            let insert = NSBatchInsertRequest(entityName: "Item", objects: [[key: value]])
            expectEqual(thrownError { _ = try stack.context.execute(insert) }?.code, 134060)
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = [key: value]
            expectEqual(thrownError { _ = try stack.context.execute(update) }?.code, 134060)
            try expectEmpty(stack.context.all("Item"))
        }
    }

    @Test("are refused by the save of an object that has them", arguments: numbers.indices, keys)
    func saves(_ index: Int, _ key: String) throws {
        try withStack(.tables, model: Self.makeModel()) { stack in
            let number = Self.numbers[index]
            let code = number.doubleValue > 0 ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError
            let item = stack.context.make("Item")
            item.setValue(number, forKey: key)
            expectEqual(thrownError { try stack.context.save() }?.code, code)
            var value: AnyObject? = number
            expectEqual(thrownError { try item.validateValue(&value, forKey: key) }?.code, code)
            item.setValue(7, forKey: key)
            try stack.context.save()
            expectEqual(item.number(key), 7)
        }
    }

    @Test("are not those at the ends of the range, nor numbers with a fraction")
    func ends() throws {
        try withStack(.tables, model: Self.makeModel()) { stack in
            for number in [
                NSNumber(value: Int64.max), NSNumber(value: Int64.min), NSNumber(value: -1.5), 0,
                NSNumber(value: UInt64(Int64.max)), NSDecimalNumber(value: Int64.max), NSNumber(value: -0x1p63),
            ] {
                let item = stack.context.make("Item")
                item.setValue(number, forKey: "long")
                try stack.context.save()
                expectEqual(item.number("long"), number.int64Value)
                let insert = NSBatchInsertRequest(entityName: "Item", objects: [["long": number]])
                _ = try stack.context.execute(insert)
            }
            try expectEqual(stack.context.all("Item").count, 14)
        }
    }
}
