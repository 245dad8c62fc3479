import GRDB

/// The numbers of entities in a store's file.
struct GRDBEntities {
    let school, student, grade: Int64

    init(_ queue: DatabaseQueue) throws {
        school = try GRDBDatabase.entity("School", queue)
        student = try GRDBDatabase.entity("Student", queue)
        grade = try GRDBDatabase.entity("Grade", queue)
    }
}

/// GRDB's structures for schools, their students and the grades of those.
struct GRDBSchool: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "ZSCHOOL"
    static var databaseSelection: [any SQLSelectable] { [Column("Z_ENT"), Column("Z_PK"), Column("ZNAME")] }

    enum CodingKeys: String, CodingKey {
        case entity = "Z_ENT"
        case id = "Z_PK"
        case name = "ZNAME"
    }

    let entity: Int64
    var id: Int64?
    let name: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct GRDBStudent: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "ZSTUDENT"
    static var databaseSelection: [any SQLSelectable] {
        [Column("Z_ENT"), Column("Z_PK"), Column("ZSCHOOL"), Column("ZNAME")]
    }
    static let toSchool = belongsTo(GRDBSchool.self, key: "school", using: ForeignKey(["ZSCHOOL"], to: ["Z_PK"]))
    static let toGrades = hasMany(GRDBGrade.self, key: "grades", using: ForeignKey(["ZSTUDENT"], to: ["Z_PK"]))

    enum CodingKeys: String, CodingKey {
        case entity = "Z_ENT"
        case id = "Z_PK"
        case school = "ZSCHOOL"
        case name = "ZNAME"
    }

    let entity: Int64
    var id: Int64?
    let school: Int64?
    var name: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct GRDBGrade: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "ZGRADE"
    static var databaseSelection: [any SQLSelectable] {
        [Column("Z_ENT"), Column("Z_PK"), Column("ZSTUDENT"), Column("ZPOINTS")]
    }

    enum CodingKeys: String, CodingKey {
        case entity = "Z_ENT"
        case id = "Z_PK"
        case student = "ZSTUDENT"
        case points = "ZPOINTS"
    }

    let entity: Int64
    var id: Int64?
    let student: Int64?
    let points: Int64

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// A student with the school and the grades.
struct GRDBStudentRow: Decodable, FetchableRecord {
    let student: GRDBStudent
    let school: GRDBSchool
    let grades: [GRDBGrade]

    enum CodingKeys: String, CodingKey { case school, grades }

    init(from decoder: any Decoder) throws {
        student = try GRDBStudent(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        school = try container.decode(GRDBSchool.self, forKey: .school)
        grades = try container.decode([GRDBGrade].self, forKey: .grades)
    }
}

/// A student with the school.
struct GRDBStudentOfSchool: Decodable, FetchableRecord {
    let student: GRDBStudent
    let school: GRDBSchool

    enum CodingKeys: String, CodingKey { case school }

    init(from decoder: any Decoder) throws {
        student = try GRDBStudent(from: decoder)
        school = try decoder.container(keyedBy: CodingKeys.self).decode(GRDBSchool.self, forKey: .school)
    }
}

struct GRDBItem: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZITEM"
    static var databaseSelection: [any SQLSelectable] { [Column("Z_PK"), Column("ZCODE"), Column("ZAMOUNT")] }

    enum CodingKeys: String, CodingKey {
        case id = "Z_PK"
        case code = "ZCODE"
        case amount = "ZAMOUNT"
    }

    let id: Int64
    let code: String
    var amount: Int64
}
