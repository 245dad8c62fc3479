import CoreData
import SystemSQLite

/// Inserting under a uniqueness constraint, and finding or creating objects.
extension Workloads {
    static var uniqueness: [Workload] {
        // 1,000, 10,000 and 100,000 of a full run.
        let parts = [100, 10, 1]
        func name(_ part: Int, _ isUnique: Bool) -> String {
            let size = ["100": "a hundredth", "10": "a tenth", "1": "all"]["\(part)"] ?? ""
            return "OpenCoreData, \(isUnique ? "unique" : "no constraint"), \(size)"
        }
        return [
            Workload(
                name: "unique",
                title: "insert # objects, half of whose unique values are there already (object trump), and save",
                rows: 100_000, checkedRows: 1000, group: .uniqueness,
                arms: parts.reversed().flatMap { part in
                    [
                        insertingItems(name(part, false), part: part) { Item(context: $0) },
                        insertingItems(name(part, true), part: part) { UniqueItem(context: $0) },
                    ]
                },
                targets: parts.map { .ratio(name($0, true), to: name($0, false), atMost: 2) } + [
                    .linear(name(1, true), name(10, true)), .linear(name(10, true), name(100, true)),
                ])
        ]
    }

    private static func insertingItems(
        _ name: String, part: Int, make: @escaping (NSManagedObjectContext) -> NSManagedObject
    ) -> Arm {
        func units(_ rows: Int) -> Int { max(2, rows / part) }
        return Arm(name, units: units) { stage, rows in
            let count = units(rows)
            let url = try stage.fixture("items-\(count)") { url in
                try StoreStack.fill(url, rows: count / 2) { context, row in
                    Item(context: context).code = "code \(row)"
                    UniqueItem(context: context).code = "code \(row)"
                }
            }
            let stack = try StoreStack(try stage.copy(url))
            stack.context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            let codes = (0..<count).map { "code \($0)" }
            return Measured(stack) { context in
                for (row, code) in codes.enumerated() {
                    let object = make(context)
                    if let item = object as? UniqueItem {
                        (item.code, item.amount, item.price, item.weight) = (code, Int64(row), 2, 3)
                    } else if let item = object as? Item {
                        (item.code, item.amount, item.price, item.weight) = (code, Int64(row), 2, 3)
                    }
                }
                try context.save()
                return Outcome(nil)
            }
        }
    }

    // MARK: Finding or creating

    static var findOrCreate: [Workload] {
        let (one, each) = ("OpenCoreData, one fetch with IN", "OpenCoreData, a fetch for each")
        return [
            Workload(
                name: "find-or-create", title: "find or create # objects in a store of as many, half of them there",
                rows: 40_000, checkedRows: 400, group: .uniqueness,
                arms: [
                    Arm(Arm.raw) { stage, rows in
                        let connection = try RawConnection(try contacts(stage, rows))
                        let emails = emails(rows)
                        return Measured { Outcome(try findOrCreate(connection, emails)) }
                    },
                    finding(one, part: 1, findAll),
                    finding("\(one), a tenth", part: 10, findAll),
                    finding("\(each), a tenth", part: 10, findEach),
                    finding("\(each), a hundredth", part: 100, findEach),
                ],
                targets: [
                    .ratio(one, atMost: 4), .linear(one, "\(one), a tenth"),
                    .linear("\(each), a tenth", "\(each), a hundredth"),
                ])
        ]
    }

    /// One fetch finds all that are there, and the others are made: what Apple's guide advises.
    private static func findAll(_ context: NSManagedObjectContext, _ emails: [String]) throws -> Int {
        let request = NSFetchRequest<Contact>(entityName: "Contact")
        request.predicate = NSPredicate(format: "email IN %@", emails)
        let found = Set(try context.fetch(request).compactMap(\.email))
        for email in emails where !found.contains(email) { Contact(context: context).email = email }
        return found.count
    }

    private static func findEach(_ context: NSManagedObjectContext, _ emails: [String]) throws -> Int {
        var found = 0
        for email in emails {
            let request = NSFetchRequest<Contact>(entityName: "Contact")
            request.predicate = NSPredicate(format: "email == %@", email)
            request.fetchLimit = 1
            if try context.fetch(request).first != nil {
                found += 1
            } else {
                Contact(context: context).email = email
            }
        }
        return found
    }

    private static func finding(
        _ name: String, part: Int, _ find: @escaping (NSManagedObjectContext, [String]) throws -> Int
    ) -> Arm {
        func units(_ rows: Int) -> Int { max(2, rows / part) }
        return Arm(name, units: units) { stage, rows in
            let stack = try StoreStack(try contacts(stage, units(rows)))
            let emails = emails(units(rows))
            return Measured(stack) { context in
                let found = try find(context, emails)
                try context.save()
                return Outcome(Int64(found))
            }
        }
    }

    /// A store with so many contacts, of whom every second one is looked for.
    private static func contacts(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.copy(
            try stage.fixture("contacts-\(rows)") { url in
                try StoreStack.fill(url, rows: rows) { context, row in
                    let contact = Contact(context: context)
                    contact.email = "contact\(row * 2)@example.org"
                    contact.name = "Contact \(row)"
                }
            })
    }

    private static func emails(_ rows: Int) -> [String] { (0..<rows).map { "contact\($0)@example.org" } }

    private static func findOrCreate(_ connection: RawConnection, _ emails: [String]) throws -> Int64 {
        let entity = try connection.entity("Contact")
        var last = try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(entity)")
        var found: Int64 = 0
        try connection.transaction {
            let find = try connection.prepare("SELECT Z_PK, ZNAME FROM ZCONTACT WHERE ZEMAIL = ? LIMIT 1")
            let insert = try connection.prepare(
                "INSERT INTO ZCONTACT(Z_PK, Z_ENT, Z_OPT, ZEMAIL) VALUES (?, \(entity), 1, ?)")
            defer { for statement in [find, insert] { sqlite3_finalize(statement) } }
            for email in emails {
                sqlite3_bind_text(find, 1, email, -1, transient)
                let isThere = sqlite3_step(find) == SQLITE_ROW
                sqlite3_reset(find)
                if isThere {
                    found += 1
                } else {
                    last += 1
                    sqlite3_bind_int64(insert, 1, last)
                    sqlite3_bind_text(insert, 2, email, -1, transient)
                    try connection.finish(insert)
                }
            }
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(last) WHERE Z_ENT = \(entity)")
        }
        return found
    }
}
