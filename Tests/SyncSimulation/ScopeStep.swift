import CoreData

/// A step of a history with scopes. Its numbers are taken modulo what there is, so that any part of a history is one.
enum ScopeStep: Codable, Hashable {
    /// A replica saves changes.
    case save(replica: Int, [ScopeChange])
    /// The server's own program saves changes.
    case serverSave([ScopeChange])
    /// A replica sends a request.
    case send(replica: Int, Request)
    /// The server answers a request that is on its way, or an answer arrives.
    case deliver(message: Int, isDoubled: Bool)
    case lose(message: Int)
    /// The replica's process ends at the next time that it reaches a step.
    case crash(replica: Int, step: Int)
    /// The token of a replica has other constants.
    case share(replica: Int, user: Int?)
    /// A program with the token of a replica changes an object of the server by its UUID.
    case forge(replica: Int, object: Int, isDeletion: Bool)
    /// The server starts with other scopes, or with the first ones again.
    case declare(isNarrow: Bool)
    /// The server forgets dead objects and old changes of scopes.
    case forget
    /// Time passes.
    case pass(seconds: Double)

    static func history(replicas: Int, count: Int, _ random: inout some RandomNumberGenerator) -> [ScopeStep] {
        (0..<count).map { _ in make(replicas: replicas, &random) }
    }

    private static func make(replicas: Int, _ random: inout some RandomNumberGenerator) -> ScopeStep {
        let replica = Int.random(in: 0..<replicas, using: &random)
        let number = Int.random(in: 0..<1000, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<5: return .serverSave(ScopeChange.several(&random))
        case 5..<28: return .save(replica: replica, ScopeChange.several(&random))
        case 28..<58: return .send(replica: replica, Bool.random(using: &random) ? .push : .pull)
        case 58..<90: return .deliver(message: number, isDoubled: number % 8 == 0)
        case 90..<92: return .lose(message: number)
        case 92: return .crash(replica: replica, step: number % 14)
        case 93: return .share(replica: replica, user: number % 4 == 3 ? nil : number % 4)
        case 94..<96: return .forge(replica: replica, object: number, isDeletion: number % 3 == 0)
        case 96: return number % 3 == 0 ? .declare(isNarrow: number % 2 == 0) : .pass(seconds: 1)
        case 97: return .forget
        default: return .pass(seconds: Double(number))
        }
    }
}

/// A change of a save. Users are numbers of ``ScopeSimulation/users``.
enum ScopeChange: Codable, Hashable {
    /// A team with the user as its member.
    case insertTeam(user: Int?, value: Int)
    case insertMember(team: Int, user: Int)
    case insertProject(team: Int, value: Int)
    case insertTask(project: Int, value: Int)
    case insertNote(task: Int?, value: Int)
    case insertLabel(value: Int)
    case delete(kind: Int, object: Int)
    case rename(kind: Int, object: Int, value: Int)
    case moveMember(member: Int, team: Int)
    case changeUser(member: Int, user: Int)
    case moveProject(project: Int, team: Int?)
    case moveTask(task: Int, project: Int)
    case giveNote(note: Int, user: Int)
    case attach(note: Int, task: Int?)
    case label(task: Int, label: Int?)

    static func several(_ random: inout some RandomNumberGenerator) -> [ScopeChange] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in make(&random) }
    }

    private static func make(_ random: inout some RandomNumberGenerator) -> ScopeChange {
        func number() -> Int { Int.random(in: 0..<1000, using: &random) }
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<2: return .insertTeam(user: number() % 4 == 0 ? number() : nil, value: number())
        case 2..<4: return .insertMember(team: number(), user: number())
        case 4..<6: return .insertProject(team: number(), value: number())
        case 6..<9: return .insertTask(project: number(), value: number())
        case 9..<11: return .insertNote(task: number() % 3 == 0 ? nil : number(), value: number())
        case 11: return .insertLabel(value: number())
        case 12..<14: return .delete(kind: number(), object: number())
        case 14: return .rename(kind: number(), object: number(), value: number())
        case 15: return .moveMember(member: number(), team: number())
        case 16: return .changeUser(member: number(), user: number())
        case 17..<19: return .moveProject(project: number(), team: number() % 6 == 0 ? nil : number())
        case 19..<21: return .moveTask(task: number(), project: number())
        case 21: return .giveNote(note: number(), user: number())
        case 22: return .attach(note: number(), task: number() % 4 == 0 ? nil : number())
        default: return .label(task: number(), label: number() % 4 == 0 ? nil : number())
        }
    }

    private static let kinds = ["Member", "Project", "Task", "Note", "Label", "Team"]

    /// Makes the change in a context, if its objects are there.
    ///
    /// - Parameter user: the user of the program.
    func make(in context: NSManagedObjectContext, user own: String) throws {
        func object(_ entity: String, _ number: Int) throws -> NSManagedObject? {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
            let objects = try context.fetch(request)
            return objects.isEmpty ? nil : objects[number % objects.count]
        }
        func insert(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(value, forKey: key)
            return object
        }
        func user(_ number: Int) -> String { ScopeSimulation.users[number % ScopeSimulation.users.count] }
        switch self {
        case .insertTeam(let number, let value):
            let team = insert("Team", "name", "Team \(value)")
            insert("Member", "user", own).setValue(team, forKey: "team")
            if let number { insert("Member", "user", user(number)).setValue(team, forKey: "team") }
        case .insertMember(let team, let number):
            guard let team = try object("Team", team) else { return }
            insert("Member", "user", user(number)).setValue(team, forKey: "team")
        case .insertProject(let team, let value):
            guard let team = try object("Team", team) else { return }
            insert("Project", "name", "Project \(value)").setValue(team, forKey: "team")
        case .insertTask(let project, let value):
            guard let project = try object("Project", project) else { return }
            insert("Task", "name", "Task \(value)").setValue(project, forKey: "project")
        case .insertNote(let task, let value):
            let note = insert("Note", "title", "Note \(value)")
            note.setValue(own, forKey: "owner")
            note.setValue(try task.flatMap { try object("Task", $0) }, forKey: "task")
        case .insertLabel(let value): _ = insert("Label", "name", "Label \(value)")
        case .delete(let kind, let number):
            if let object = try object(Self.kinds[kind % Self.kinds.count], number) { context.delete(object) }
        case .rename(let kind, let number, let value):
            let names = ["Project", "Task", "Label", "Team"]
            try object(names[kind % names.count], number)?.setValue("Name \(value)", forKey: "name")
        case .moveMember(let member, let team):
            guard let team = try object("Team", team) else { return }
            try object("Member", member)?.setValue(team, forKey: "team")
        case .changeUser(let member, let number):
            try object("Member", member)?.setValue(user(number), forKey: "user")
        case .moveProject(let project, let team):
            try object("Project", project)?.setValue(try team.flatMap { try object("Team", $0) }, forKey: "team")
        case .moveTask(let task, let project):
            guard let project = try object("Project", project) else { return }
            try object("Task", task)?.setValue(project, forKey: "project")
        case .giveNote(let note, let number): try object("Note", note)?.setValue(user(number), forKey: "owner")
        case .attach(let note, let task):
            try object("Note", note)?.setValue(try task.flatMap { try object("Task", $0) }, forKey: "task")
        case .label(let task, let label):
            try object("Task", task)?.setValue(try label.flatMap { try object("Label", $0) }, forKey: "label")
        }
    }
}
