import CoreData
import GRDB
import SystemSQLite

/// Objects of to-one relationships, one by one and prefetched.
extension Workloads {
    static var toOne: [Workload] { [toOneFaults, toOnePrefetched] }

    /// Orders, each of another customer.
    private static func orders(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("orders-\(rows)") { url in
            try StoreStack.fill(url, rows: rows) { context, row in
                let customer = Customer(context: context)
                customer.name = "Customer \(row)"
                customer.number = Int64(row)
                let order = Order(context: context)
                order.number = Int64(row)
                order.customer = customer
            }
        }
    }

    private static var toOneFaults: Workload {
        Workload(
            name: "to-one-faults", title: "fire # to-one faults one by one", rows: 50_000, checkedRows: 500,
            group: .relationships,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try orders(stage, rows))
                    let keys = try connection.with("SELECT ZCUSTOMER FROM ZORDER") { statement in
                        var keys: [Int64] = []
                        while sqlite3_step(statement) == SQLITE_ROW { keys.append(sqlite3_column_int64(statement, 0)) }
                        return keys
                    }
                    return Measured {
                        var sum: Int64 = 0
                        try connection.execute("BEGIN")
                        let sql = "SELECT Z_PK, Z_OPT, ZNUMBER, ZNAME FROM ZCUSTOMER WHERE Z_PK = ?"
                        try connection.with(sql) { statement in
                            for key in keys {
                                sqlite3_bind_int64(statement, 1, key)
                                guard sqlite3_step(statement) == SQLITE_ROW else { throw connection.failure() }
                                sum &+= sqlite3_column_int64(statement, 2)
                                sqlite3_reset(statement)
                            }
                        }
                        try connection.execute("COMMIT")
                        return Outcome(sum)
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try orders(stage, rows))
                    let orders = try stack.objects(Order.self)
                    return Measured(stack) { _ in Outcome(orders.reduce(0) { $0 &+ ($1.customer?.number ?? 0) }) }
                },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try orders(stage, rows))
                    let orders = try queue.read { try GRDBOrder.fetchAll($0) }
                    return Measured {
                        let sum = try queue.read { database in
                            try orders.reduce(0) { $0 &+ (try $1.buyer.fetchOne(database)?.number ?? 0) }
                        }
                        return Outcome(sum)
                    }
                },
                .sqlalchemy("to-one-faults", file: orders),
            ],
            targets: [.ratio(atMost: 2)])
    }

    private static var toOnePrefetched: Workload {
        Workload(
            name: "to-one-prefetched", title: "fetch # objects with a prefetched to-one each and read it",
            rows: 50_000, checkedRows: 500, group: .relationships,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try orders(stage, rows))
                    return Measured {
                        let sql = """
                            SELECT o.Z_PK, o.Z_OPT, o.ZNUMBER, c.Z_PK, c.Z_OPT, c.ZNUMBER, c.ZNAME
                            FROM ZORDER o LEFT JOIN ZCUSTOMER c ON c.Z_PK = o.ZCUSTOMER
                            """
                        var sum: Int64 = 0
                        try connection.with(sql) { statement in
                            while sqlite3_step(statement) == SQLITE_ROW { sum &+= sqlite3_column_int64(statement, 5) }
                        }
                        return Outcome(sum)
                    }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try orders(stage, rows))
                    return Measured(stack) { _ in
                        let orders = try stack.objects(Order.self, prefetching: ["customer"])
                        return Outcome(orders.reduce(0) { $0 &+ ($1.customer?.number ?? 0) }, retained: orders)
                    }
                },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try orders(stage, rows))
                    return Measured {
                        let orders = try queue.read { database in
                            try GRDBOrder.including(required: GRDBOrder.customer)
                                .asRequest(of: GRDBWithRelated<GRDBOrder, GRDBCustomer>.self).fetchAll(database)
                        }
                        return Outcome(orders.reduce(0) { $0 &+ $1.related.number }, retained: orders)
                    }
                },
                .sqlalchemy("to-one-prefetched", file: orders),
            ],
            targets: [.ratio(atMost: 2.5)])
    }
}
