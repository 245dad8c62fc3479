import OpenCoreData

/// Saves whose outcome depends on the number of the step alone, so that a reader can tell half a save from a whole one.
///
/// Step k inserts rows and a group, changes the rows and the group of step k - 1, deletes the ones of step k - 3, and
/// sets the counter to k.
struct SavedSteps {
    static let rowCount = 10

    /// The images of each step. They are above the size from which a store keeps values in files.
    var imageCount = 2
    /// Whether rows are never deleted, so that the store grows.
    var keepsAll = false
    /// The characters in the text of each row.
    var textLength = 20

    private static let imageSize = 150_000

    // MARK: Saving

    /// The number of the last step that a store has.
    static func last(_ context: NSManagedObjectContext) throws -> Int {
        let counters = try context.all("Counter")
        try expect(counters.count <= 1, "there are \(counters.count) counters")
        return counters.first?.number("number") ?? 0
    }

    /// Makes and saves the changes of a step.
    func save(_ step: Int, in context: NSManagedObjectContext) throws {
        try change(step, in: context)
        try context.save()
    }

    /// Makes the changes of a step.
    func change(_ step: Int, in context: NSManagedObjectContext) throws {
        context.transactionAuthor = "\(step)"
        let counter = try context.all("Counter").first ?? context.make("Counter", [:])
        counter.setValue(step, forKey: "number")
        let rows = (0..<Self.rowCount).map { position in
            var values: [String: Any] = [
                "number": step, "position": position, "seen": step, "text": text(step),
            ]
            if position < imageCount { values["image"] = Self.image(step) }
            return context.make("Row", values)
        }
        let group = context.make("Group", ["number": step])
        group.setValue(NSOrderedSet(array: Self.order(step).map { rows[$0] }), forKey: "members")
        for former in try context.all("Group", where: NSPredicate(format: "number == %ld", step - 1)) {
            let members = former.value(forKey: "members") as? NSOrderedSet ?? NSOrderedSet()
            for case let row as NSManagedObject in members {
                row.setValue(step, forKey: "seen")
                if imageCount > 0, row.number("position") == 0 {
                    row.setValue(Self.image(step ^ 0x55), forKey: "image")
                }
            }
            former.setValue(members.reversed, forKey: "members")
        }
        if !keepsAll {
            for old in try context.all("Group", where: NSPredicate(format: "number == %ld", step - 3)) {
                context.delete(old)
            }
        }
    }

    private func text(_ step: Int) -> String {
        String("\(step) ".padding(toLength: textLength, withPad: "text ", startingAt: 0))
    }

    private static func image(_ step: Int) -> Data { Data(repeating: UInt8(step & 0xFF), count: imageSize) }

    private static func order(_ step: Int) -> [Int] { (0..<rowCount).map { ($0 + step) % rowCount } }

    // MARK: Checking

    /// Checks that a store has all of its last step, and nothing of another one.
    ///
    /// - Returns: the number of the last step.
    func check(_ context: NSManagedObjectContext) throws -> Int {
        context.reset()
        let last = try Self.last(context)
        let first = keepsAll ? 1 : max(1, last - 2)
        let numbers = last == 0 ? [] : Array(first...last)
        let groups = try context.all("Group").sorted { $0.number("number") < $1.number("number") }
        try expect(
            groups.map { $0.number("number") } == numbers,
            "after step \(last) the groups are \(groups.map { $0.number("number") })")
        try expect(
            try context.all("Row").count == numbers.count * Self.rowCount, "step \(last) has rows without a group")
        for group in groups { try check(group, last) }
        return last
    }

    private func check(_ group: NSManagedObject, _ last: Int) throws {
        let step = group.number("number")
        let members = (group.value(forKey: "members") as? NSOrderedSet)?.compactMap { $0 as? NSManagedObject } ?? []
        let order = step < last ? Self.order(step).reversed() : Self.order(step)
        try expect(
            members.map { $0.number("position") } == order,
            "step \(last): the order of group \(step) is \(members.map { $0.number("position") })")
        for row in members {
            let position = row.number("position")
            try expect(
                row.number("number") == step && row.number("seen") == min(last, step + 1)
                    && row.value(forKey: "text") as? String == text(step),
                "step \(last): a row of step \(step) has values of another step")
            guard position < imageCount else { continue }
            let image = position == 0 && step < last ? Self.image((step + 1) ^ 0x55) : Self.image(step)
            try expect(
                row.value(forKey: "image") as? Data == image,
                "step \(last): the image \(position) of step \(step) is that of another step, or none")
        }
    }
}
