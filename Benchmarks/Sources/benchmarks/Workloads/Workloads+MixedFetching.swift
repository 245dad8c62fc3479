import CoreData
import GRDB
import SystemSQLite

/// Reading rows of strings, dates, UUIDs, decimals and data.
extension Workloads {
    static var mixedFetching: [Workload] {
        [
            Workload(
                name: "fetch-mixed",
                title: "fetch # objects of 10 mixed attributes and read every property by generated accessors",
                rows: 200_000, checkedRows: 1000, group: .fetching,
                arms: [
                    Arm(Arm.raw) { stage, rows in
                        let connection = try RawConnection(try ArticleValues.fixture(stage, rows))
                        return Measured {
                            try connection.with(ArticleValues.select) { statement in
                                var sum: Int64 = 0
                                while sqlite3_step(statement) == SQLITE_ROW {
                                    guard sqlite3_column_int64(statement, 0) > 0 else { throw connection.failure() }
                                    sum &+= ArticleValues.checksum(statement)
                                }
                                return Outcome(sum)
                            }
                        }
                    },
                    Arm(Arm.own) { stage, rows in
                        let stack = try StoreStack(try ArticleValues.fixture(stage, rows))
                        return Measured(stack) { _ in
                            let articles = try stack.objects(Article.self)
                            return Outcome(articles.reduce(0) { $0 &+ $1.checksum }, retained: articles)
                        }
                    },
                    Arm(Arm.structs) { stage, rows in
                        let queue = try GRDBDatabase.queue(try ArticleValues.fixture(stage, rows))
                        return Measured {
                            let articles = try queue.read { try GRDBArticle.fetchAll($0, sql: ArticleValues.select) }
                            return Outcome(articles.reduce(0) { $0 &+ $1.checksum }, retained: articles)
                        }
                    },
                    .sqlalchemy("fetch-mixed", file: ArticleValues.fixture),
                ],
                targets: [.ratio(atMost: 1.6)])
        ]
    }
}
