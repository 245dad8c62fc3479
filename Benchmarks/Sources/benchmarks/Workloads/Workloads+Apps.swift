import CoreData
import GRDB
import SystemSQLite

/// The work of apps: an import, a feed, changes of another context.
extension Workloads {
    static var apps: [Workload] { [importJSON, feed, merge] }

    // MARK: Importing

    private struct Record: Codable {
        let school: String
        let student: String
        let points: Int64

        /// Ten grades for each student, a hundred students in each school.
        init(row: Int, rows: Int) {
            let student = row % max(2, rows / 10)
            self.student = "Student \(student)"
            school = "School \(student % max(2, rows / 1000))"
            points = Int64(row % 15)
        }
    }

    /// How many records are imported at once.
    private static let part = 1000

    private static var importJSON: Workload {
        Workload(
            name: "import-json",
            title: "import # records of JSON into three related entities, finding or creating two of them",
            rows: 100_000, checkedRows: 1000, group: .apps,
            arms: [
                importing(Arm.raw) { url in
                    let connection = try RawConnection(url)
                    return { try importRecords(connection, $0) }
                },
                importing(Arm.own) { url in
                    let stack = try StoreStack(url)
                    return { try importRecords(stack.context, $0) }
                },
                importing(Arm.structs) { url in
                    let queue = try GRDBDatabase.queue(url)
                    let numbers = try GRDBEntities(queue)
                    return { try importRecords(queue, numbers, $0) }
                },
                .sqlalchemy("import-json", file: schools),
            ],
            targets: [.ratio(to: Arm.structs, atMost: 0.99)])
    }

    private static func importing(
        _ name: String, _ prepare: @escaping (URL) throws -> ([Record]) throws -> Int64
    ) -> Arm {
        Arm(name) { stage, rows in
            let data = try JSONEncoder().encode((0..<rows).map { Record(row: $0, rows: rows) })
            let importRecords = try prepare(try schools(stage, rows))
            return Measured { Outcome(try importRecords(try JSONDecoder().decode([Record].self, from: data))) }
        }
    }

    /// A store that has every second student and school.
    private static func schools(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.copy(
            try stage.fixture("schools-\(rows)") { url in
                let stack = try StoreStack(url)
                var schools: [String: School] = [:]
                for row in stride(from: 0, to: max(2, rows / 10), by: 2) {
                    let record = Record(row: row, rows: rows)
                    let student = Student(context: stack.context)
                    student.name = record.student
                    let school = schools[record.school] ?? School(context: stack.context)
                    school.name = record.school
                    schools[record.school] = school
                    student.school = school
                }
                try stack.context.save()
            })
    }

    /// - Returns: the number of created objects, as the other functions.
    private static func importRecords(_ context: NSManagedObjectContext, _ records: [Record]) throws -> Int64 {
        var created: Int64 = 0
        for start in stride(from: 0, to: records.count, by: part) {
            let records = records[start..<min(start + part, records.count)]
            var schools = try objects(School.self, named: records.map(\.school), in: context) { $0.name }
            var students = try objects(Student.self, named: records.map(\.student), in: context) { $0.name }
            for record in records {
                let student: Student
                if let found = students[record.student] {
                    student = found
                } else {
                    student = Student(context: context)
                    student.name = record.student
                    if schools[record.school] == nil {
                        let school = School(context: context)
                        school.name = record.school
                        schools[record.school] = school
                    }
                    student.school = schools[record.school]
                    students[record.student] = student
                }
                let grade = Grade(context: context)
                grade.points = record.points
                grade.student = student
            }
            created += Int64(context.insertedObjects.count)
            try context.save()
            context.reset()
        }
        return created
    }

    private static func objects<Object: NSManagedObject>(
        _ type: Object.Type, named names: [String], in context: NSManagedObjectContext, by name: (Object) -> String?
    ) throws -> [String: Object] {
        let request = NSFetchRequest<Object>(entityName: "\(type)")
        request.predicate = NSPredicate(format: "name IN %@", Array(Set(names)))
        request.returnsObjectsAsFaults = false
        var objects: [String: Object] = [:]
        for object in try context.fetch(request) { if let name = name(object) { objects[name] = object } }
        return objects
    }

    private static func importRecords(_ queue: DatabaseQueue, _ numbers: GRDBEntities, _ records: [Record]) throws
        -> Int64
    {
        var created: Int64 = 0
        for start in stride(from: 0, to: records.count, by: part) {
            let records = records[start..<min(start + part, records.count)]
            try queue.write { database in
                let schoolNames = Set(records.map(\.school))
                let studentNames = Set(records.map(\.student))
                var schools: [String: GRDBSchool] = [:]
                for school in try GRDBSchool.filter(schoolNames.contains(Column("ZNAME"))).fetchAll(database) {
                    schools[school.name] = school
                }
                var students: [String: GRDBStudent] = [:]
                for student in try GRDBStudent.filter(studentNames.contains(Column("ZNAME"))).fetchAll(database) {
                    students[student.name] = student
                }
                for record in records {
                    if students[record.student] == nil {
                        if schools[record.school] == nil {
                            schools[record.school] = try GRDBSchool(
                                entity: numbers.school, id: nil, name: record.school
                            ).inserted(database)
                            created += 1
                        }
                        students[record.student] = try GRDBStudent(
                            entity: numbers.student, id: nil, school: schools[record.school]?.id, name: record.student
                        ).inserted(database)
                        created += 1
                    }
                    _ = try GRDBGrade(
                        entity: numbers.grade, id: nil, student: students[record.student]?.id, points: record.points
                    ).inserted(database)
                    created += 1
                }
            }
        }
        return created
    }

    /// Looks for each name by a prepared statement, as a program in C does.
    private static func importRecords(_ connection: RawConnection, _ records: [Record]) throws -> Int64 {
        let findSchool = try connection.prepare("SELECT Z_PK FROM ZSCHOOL WHERE ZNAME = ?")
        let findStudent = try connection.prepare("SELECT Z_PK FROM ZSTUDENT WHERE ZNAME = ?")
        let insertSchool = try connection.prepare(
            "INSERT INTO ZSCHOOL(Z_ENT, Z_OPT, ZNAME) VALUES (\(try connection.entity("School")), 1, ?)")
        let insertStudent = try connection.prepare(
            "INSERT INTO ZSTUDENT(Z_ENT, Z_OPT, ZNAME, ZSCHOOL) VALUES (\(try connection.entity("Student")), 1, ?, ?)")
        let insertGrade = try connection.prepare(
            "INSERT INTO ZGRADE(Z_ENT, Z_OPT, ZSTUDENT, ZPOINTS) VALUES (\(try connection.entity("Grade")), 1, ?, ?)")
        defer {
            for statement in [findSchool, findStudent, insertSchool, insertStudent, insertGrade] {
                sqlite3_finalize(statement)
            }
        }
        func key(_ statement: OpaquePointer, _ name: String) -> Int64? {
            sqlite3_bind_text(statement, 1, name, -1, transient)
            defer { sqlite3_reset(statement) }
            return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : nil
        }
        func insert(_ statement: OpaquePointer, _ name: String, _ owner: Int64? = nil) throws -> Int64 {
            sqlite3_bind_text(statement, 1, name, -1, transient)
            if let owner { sqlite3_bind_int64(statement, 2, owner) }
            try connection.finish(statement)
            return sqlite3_last_insert_rowid(connection.handle)
        }
        var created: Int64 = 0
        for start in stride(from: 0, to: records.count, by: part) {
            try connection.transaction {
                for record in records[start..<min(start + part, records.count)] {
                    var student = key(findStudent, record.student)
                    if student == nil {
                        var school = key(findSchool, record.school)
                        if school == nil {
                            school = try insert(insertSchool, record.school)
                            created += 1
                        }
                        student = try insert(insertStudent, record.student, school)
                        created += 1
                    }
                    sqlite3_bind_int64(insertGrade, 1, student ?? 0)
                    sqlite3_bind_int64(insertGrade, 2, record.points)
                    try connection.finish(insertGrade)
                    created += 1
                }
            }
        }
        return created
    }

    // MARK: Showing a feed

    /// The rows of a page of the feed.
    private static let page = 50

    private static var feed: Workload {
        Workload(
            name: "feed",
            title:
                "show # students in pages of 50 with their school and grades, in sections, change a fifth and follow",
            rows: 500, checkedRows: 100, group: .apps,
            arms: [
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try classes(stage, rows))
                    return Measured(stack) { try showFeed($0, rows) }
                },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try classes(stage, rows))
                    return Measured { try showFeed(queue, rows) }
                },
                .sqlalchemy("feed", file: classes),
            ],
            targets: [.ratio(to: Arm.structs, atMost: 0.99)])
    }

    /// Ten times the students that the feed shows, with four grades each, in schools of a hundred.
    private static func classes(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.copy(
            try stage.fixture("classes-\(rows)") { url in
                let stack = try StoreStack(url)
                var schools: [School] = []
                for row in 0..<(rows * 10) {
                    if row % 100 == 0 {
                        let school = School(context: stack.context)
                        school.name = "School \(10_000 + row / 100)"
                        schools.append(school)
                    }
                    let student = Student(context: stack.context)
                    student.name = "Student \(100_000 + row)"
                    student.school = schools.last
                    for points in 0..<4 {
                        let grade = Grade(context: stack.context)
                        grade.points = Int64(points + row % 10)
                        grade.student = student
                    }
                }
                try stack.context.save()
            })
    }

    private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
        var updates: Int64 = 0

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
            at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) {
            updates += 1
        }
    }

    private static func showFeed(_ context: NSManagedObjectContext, _ rows: Int) throws -> Outcome {
        func request() -> NSFetchRequest<Student> {
            let request = NSFetchRequest<Student>(entityName: "Student")
            request.sortDescriptors = [
                NSSortDescriptor(key: "school.name", ascending: true), NSSortDescriptor(key: "name", ascending: true),
            ]
            return request
        }
        var sum: Int64 = 0
        for start in stride(from: 0, to: rows, by: page) {
            let request = request()
            (request.fetchOffset, request.fetchLimit) = (start, min(page, rows - start))
            request.relationshipKeyPathsForPrefetching = ["school", "grades"]
            for student in try context.fetch(request) {
                sum += Int64((student.name?.utf8.count ?? 0) + (student.school?.name?.utf8.count ?? 0))
                for case let grade as Grade in student.grades ?? NSSet() { sum += grade.points }
            }
        }
        let all = request()
        all.fetchLimit = rows
        let controller = NSFetchedResultsController(
            fetchRequest: all, managedObjectContext: context, sectionNameKeyPath: "school.name", cacheName: nil)
        let follower = Follower()
        controller.delegate = follower
        try controller.performFetch()
        let students = controller.fetchedObjects ?? []
        for index in stride(from: 0, to: students.count, by: 5) {
            students[index].name = "\(students[index].name ?? "")!"
        }
        try context.save()
        return Outcome(sum + Int64(controller.sections?.count ?? 0) + follower.updates, retained: students)
    }

    /// Without objects that note their changes, the rows are fetched and compared again, as an observation does.
    private static func showFeed(_ queue: DatabaseQueue, _ rows: Int) throws -> Outcome {
        func students() -> QueryInterfaceRequest<GRDBStudent> {
            let school = TableAlias()
            return GRDBStudent.including(required: GRDBStudent.toSchool.aliased(school))
                .order(school[Column("ZNAME")], Column("ZNAME"))
        }
        var sum: Int64 = 0
        for start in stride(from: 0, to: rows, by: page) {
            let request = students().including(all: GRDBStudent.toGrades)
                .limit(min(page, rows - start), offset: start)
            for row in try queue.read({ try GRDBStudentRow.fetchAll($0, request) }) {
                sum += Int64(row.student.name.utf8.count + row.school.name.utf8.count)
                for grade in row.grades { sum += grade.points }
            }
        }
        let before = try queue.read { try GRDBStudentOfSchool.fetchAll($0, students().limit(rows)) }
        let sections = Dictionary(grouping: before) { $0.school.name }
        try queue.write { database in
            for index in stride(from: 0, to: before.count, by: 5) {
                var student = before[index].student
                student.name += "!"
                try student.update(database, columns: ["ZNAME"])
            }
        }
        let after = try queue.read { try GRDBStudentOfSchool.fetchAll($0, students().limit(rows)) }
        let changes = zip(before, after).count { $0.student.name != $1.student.name }
        return Outcome(sum + Int64(sections.count + changes), retained: after)
    }

    // MARK: Merging changes

    private static var merge: Workload {
        Workload(
            name: "merge-shown", title: "take # changes of another context into one that shows a tenth of them",
            rows: 10_000, checkedRows: 500, group: .apps,
            arms: [
                Arm(Arm.own) { stage, rows in
                    let stack = try StoreStack(try items(stage, rows))
                    let shown = try stack.objects(Item.self).prefix(rows / 10)
                    let writer = stack.newContext()
                    return Measured(stack) { context in
                        let observer = NotificationCenter.default.addObserver(
                            forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
                        ) { context.mergeChanges(fromContextDidSave: $0) }
                        defer { NotificationCenter.default.removeObserver(observer) }
                        let request = NSFetchRequest<Item>(entityName: "Item")
                        request.returnsObjectsAsFaults = false
                        for item in try writer.fetch(request) { item.amount += 1 }
                        try writer.save()
                        return Outcome(shown.reduce(0) { $0 + $1.amount }, retained: Array(shown))
                    }
                },
                Arm(Arm.structs) { stage, rows in
                    let queue = try GRDBDatabase.queue(try items(stage, rows))
                    return Measured {
                        try queue.write { database in
                            for var item in try GRDBItem.fetchAll(database) {
                                item.amount += 1
                                try item.update(database, columns: ["ZAMOUNT"])
                            }
                        }
                        let shown = try queue.read {
                            try GRDBItem.order(Column("Z_PK")).limit(rows / 10).fetchAll($0)
                        }
                        return Outcome(shown.reduce(0) { $0 + $1.amount }, retained: shown)
                    }
                },
                .sqlalchemy("merge-shown", file: items),
            ],
            targets: [.ratio(to: Arm.structs, atMost: 0.99)])
    }

    private static func items(_ stage: Stage, _ rows: Int) throws -> URL {
        try stage.copy(
            try stage.fixture("merged-items-\(rows)") { url in
                try StoreStack.fill(url, rows: rows) { context, row in
                    let item = Item(context: context)
                    (item.code, item.amount) = ("code \(row)", Int64(row))
                }
            })
    }
}
