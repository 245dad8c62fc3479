import CoreData
import SystemSQLite

/// Predicates across relationships, against the same questions in SQL by hand.
extension Workloads {
    static var predicates: [Workload] {
        [
            counting(
                "predicate-subquery", "count with SUBQUERY over # grades", entity: "Student",
                predicate: "SUBQUERY(grades, $grade, $grade.points >= 90).@count > 2",
                sql: """
                    SELECT COUNT(*) FROM ZSTUDENT s WHERE
                    (SELECT COUNT(*) FROM ZGRADE g WHERE g.ZSTUDENT = s.Z_PK AND g.ZPOINTS >= 90) > 2
                    """),
            counting(
                "predicate-any", "count with ANY over # grades", entity: "Student",
                predicate: "ANY grades.points == 100",
                sql: """
                    SELECT COUNT(*) FROM ZSTUDENT s WHERE
                    EXISTS (SELECT 1 FROM ZGRADE g WHERE g.ZSTUDENT = s.Z_PK AND g.ZPOINTS = 100)
                    """),
            counting(
                "predicate-key-path", "count by a key path across two relationships over # grades", entity: "Grade",
                predicate: "student.school.name == 'School 7' AND points > 50",
                sql: """
                    SELECT COUNT(*) FROM ZGRADE g JOIN ZSTUDENT s ON s.Z_PK = g.ZSTUDENT
                    JOIN ZSCHOOL c ON c.Z_PK = s.ZSCHOOL WHERE c.ZNAME = 'School 7' AND g.ZPOINTS > 50
                    """),
        ]
    }

    private static func counting(_ name: String, _ title: String, entity: String, predicate: String, sql: String)
        -> Workload
    {
        Workload(
            name: name, title: title, rows: 1_400_000, checkedRows: 14_000, group: .relationships,
            arms: [
                Arm(Arm.raw) { stage, rows in
                    let connection = try RawConnection(try schools(stage, rows))
                    return Measured { Outcome(try connection.integer(sql)) }
                },
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try schools(stage, rows))
                    return Measured(stack) { context in
                        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                        request.predicate = NSPredicate(format: predicate)
                        return Outcome(Int64(try context.count(for: request)))
                    }
                },
            ],
            targets: [.ratio(atMost: 1.1)])
    }

    /// A hundred schools; each student has fourteen grades.
    private static func schools(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.fixture("schools-\(rows)") { url in
            try StoreStack.create(url)
            let connection = try RawConnection(url)
            let students = max(1, rows / 14)
            for (table, count, columns, values) in [
                ("SCHOOL", 100, "ZNAME", "'School ' || n"),
                ("STUDENT", students, "ZSCHOOL, ZNAME", "n * 100 / \(students) + 1, 'Student ' || n"),
                ("GRADE", students * 14, "ZSTUDENT, ZPOINTS", "n / 14 + 1, n * 7919 % 101"),
            ] {
                try connection.fill(table, count: count, columns: columns, values: values)
            }
        }
    }
}

extension RawConnection {
    /// Fills a store's table with rows; `n` in the values counts from zero. For files of many rows.
    func fill(_ entity: String, count: Int, columns: String, values: String) throws {
        let number = try integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE upper(Z_NAME) = '\(entity)'")
        try transaction {
            try execute(
                """
                WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count - 1))
                INSERT INTO Z\(entity)(Z_PK, Z_ENT, Z_OPT, \(columns))
                SELECT n + 1, \(number), 1, \(values) FROM numbers
                """)
            try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = \(number)")
        }
    }
}
