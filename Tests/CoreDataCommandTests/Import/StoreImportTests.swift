import CoreData
import Testing

@Suite("coredata store import")
struct StoreImportTests {
    private let sample: ImportSample

    init() throws { sample = try ImportSample() }

    @Test("Rows make objects, and find them again by a uniqueness constraint")
    func findOrCreate() async throws {
        let first = try sample.file("a.csv", "name,email,age\nAda,ada@x,36\nAlan,alan@x,41\n")
        let run = try await sample.run(first, "Person")
        expectEqual(run.errors, "")
        expectEqual(run.output, "2 rows: 2 inserted.\n")
        let second = try sample.file("b.csv", "email,age\nada@x,37\nalan@x,41\n")
        let again = try await sample.run(second, "Person")
        expectEqual(again.errors, "")
        expectEqual(again.output, "2 rows: 1 updated, 1 unchanged.\n")
        try await expectEqual(sample.values("Person", "name,age", sort: "name"), ["Ada,37", "Alan,41"])
    }

    @Test("A constraint of two attributes is a key, and a row without one of them makes an object")
    func twoAttributes() async throws {
        let file = try sample.file("a.csv", "plate,country,price\nA1,D,1\nA1,F,2\nA1,D,3\nB1,,4\n")
        let run = try await sample.run(file, "Car")
        expectEqual(run.output, "4 rows: 3 inserted, 1 updated.\n", "\(run.errors)")
        try await expectEqual(
            sample.values("Car", "plate,country,price", sort: "price"), ["A1,F,2", "A1,D,3", "B1,,4"])
    }

    @Test("Keys are compared by their bytes, as a unique index does")
    func bytes() async throws {
        let file = try sample.file("a.csv", "name,email\nA,\u{e9}\nB,e\u{301}\nC,\u{e9}\n")
        let run = try await sample.run(file, "Person")
        expectEqual(run.output, "3 rows: 2 inserted, 1 updated.\n", "\(run.errors)")
        try await expectEqual(sample.values("Person", "name", sort: "name"), ["B", "C"])
        let other = try ImportSample()
        let same = try other.file("a.csv", "name,email,age\ne\u{301},x,1\n")
        _ = try await other.run(same, "Person")
        _ = try await sample.run(try sample.file("b.csv", "name,email,age\n\u{e9},x,1\n"), "Person")
        let diff = try await CommandRun("store", "diff", sample.store, other.store, "--entity", "Person")
        expectContains(diff.output, "~ Person x\n", "\(diff.output)")
    }

    @Test("--key selects the attributes, and a key of several objects is refused")
    func key() async throws {
        let file = try sample.file("a.csv", "text,kind\na,x\nb,x\na,y\n")
        try await expectEqual(sample.run(file, "Note").output, "3 rows: 3 inserted.\n")
        let change = try sample.file("b.csv", "text,kind\na,z\nb,z\nc,z\n")
        let run = try await sample.run(change, "Note", "--key", "text")
        expectEqual(run.status, 2)
        expectEqual(run.output, "3 rows: 1 inserted, 1 updated, 1 refused.\n")
        expectEqual(run.errors, "\(change):2: refused: 2 objects have the key of this row.\n")
        let wrong = try await sample.run(change, "Note", "--key", "title")
        expectEqual(wrong.status, 1)
        expectContains(wrong.errors, "--key: Note has no stored attribute 'title'. It has: kind, text.")
    }

    @Test("Refused rows have a line and a reason, and the others are imported")
    func refusals() async throws {
        let file = try sample.file(
            "a.csv",
            "name,email,age\nAda,ada@x,old\n\"Two\nlines\",b@x,70000\nAlan,alan@x,-1\n,c@x,1\nGrace,d@x\nLinus,e@x,50\n"
        )
        let run = try await sample.run(file, "Person")
        expectEqual(run.status, 2)
        expectEqual(run.output, "6 rows: 1 inserted, 5 refused.\n")
        let lines = run.errors.split(separator: "\n").map { $0.dropFirst(file.count) }
        try #require(lines.count == 5, "\(run.errors)")
        expectEqual(lines[0], ":2: refused: age: 'old' is no Integer 16.")
        expectEqual(lines[1], ":3: refused: age: '70000' is no Integer 16.")
        expectTrue(lines[2].hasPrefix(":5: refused: age: "))
        expectTrue(lines[3].hasPrefix(":6: refused: name: name is a required value."))
        expectEqual(lines[4], ":7: refused: the row has 2 columns, and the header 3.")
        try await expectEqual(sample.values("Person", "name", sort: "name"), ["Linus"])
    }

    @Test("A row that breaks another constraint than its key is refused alone, also in a dry run")
    func constraints() async throws {
        let cars = try sample.file("a.csv", "plate,country,chassis\nA,D,1\nB,D,2\n")
        _ = try await sample.run(cars, "Car")
        let more = try sample.file("b.csv", "plate,country,chassis\nC,D,3\nD,D,1\nE,D,4\n")
        for arguments in [["--dry-run"], []] {
            let run = try await CommandRun(
                arguments: ["store", "import", sample.store, more, "--entity", "Car"] + arguments)
            expectEqual(run.status, 2)
            expectTrue(run.output.hasPrefix("3 rows: 2 inserted, 1 refused."))
            expectContains(run.errors, ":3: refused: another object has the same chassis, which must be unique.")
        }
        try await expectEqual(sample.values("Car", "plate", sort: "plate"), ["A", "B", "C", "E"])
    }

    @Test("A dry run tells what an import would do, and changes nothing")
    func dryRun() async throws {
        let first = try sample.file("a.csv", "name,email\nAda,ada@x\n")
        _ = try await sample.run(first, "Person")
        let rows = (0..<2_500).map { "P,\($0 % 2_000)@x" }.joined(separator: "\n")
        let file = try sample.file("b.csv", "name,email\nAda L,ada@x\n\(rows)\n")
        let before = try Data(contentsOf: URL(fileURLWithPath: sample.store))
        let run = try await sample.run(file, "Person", "--dry-run")
        expectEqual(run.errors, "")
        expectEqual(
            run.output, "2501 rows: 2000 inserted, 501 updated. Nothing was saved, since this is a dry run.\n")
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: sample.store)), before)
        let real = try await sample.run(file, "Person")
        expectEqual(real.output, "2501 rows: 2000 inserted, 1 updated, 500 unchanged.\n")
    }

    @Test("The report as JSON")
    func json() async throws {
        let file = try sample.file("a.jsonl", "{\"name\":\"Ada\"}\n{\"name\":3}\n")
        let run = try await sample.run(file, "Person", "--format", "json")
        expectEqual(run.status, 2)
        expectEqual(run.errors, "")
        let report = try requireValue(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(report["inserted"] as? Int == 1)
        let refusals = try requireValue(report["refusals"] as? [[String: Any]])
        #expect(refusals[0]["line"] as? Int == 2)
        #expect(refusals[0]["reason"] as? String == "name: 3 is no String")
    }

    @Test("Columns are left out and renamed")
    func columns() async throws {
        let file = try sample.file("a.csv", "Name;Mail;Shoe size\nAda;ada@x;38\n")
        let run = try await sample.run(
            file, "Person", "--delimiter", ";", "--skip", "Shoe size", "--rename", "Name=name,Mail=email")
        expectEqual(run.errors, "")
        try await expectEqual(sample.values("Person", "name,email", sort: "name"), ["Ada,ada@x"])
    }

    @Test(
        "A header that doesn't fit is an error before a row is read",
        arguments: [
            ("nam,email\n", "Person has no property 'nam'. Did you mean 'name'?"),
            ("name,name\n", "two columns have the name 'name'"),
            ("name;email\n", "--delimiter ';'"), ("name\temail\n", "--delimiter 'tab'"),
            ("", "the file is empty"), ("\u{feff}name,shoe\n", "no property 'shoe'"),
            ("friends.shoe\n", "'friends.shoe' names no stored attribute of Person"),
        ])
    func header(text: String, part: String) async throws {
        let run = try await sample.run(try sample.file("a.csv", text), "Person")
        expectEqual(run.status, 1)
        expectEqual(run.output, "")
        expectContains(run.errors, "a.csv:1: ", "\(run.errors)")
        expectContains(run.errors, part, "\(run.errors)")
    }

    @Test("Files in other encodings are refused with the line")
    func encodings() async throws {
        let latin = sample.folder.path("latin.csv")
        try Data("name\nAda\nJos".utf8 + [0xe9, 10]).write(to: URL(fileURLWithPath: latin))
        let run = try await sample.run(latin, "Person")
        expectEqual(run.status, 1)
        expectContains(run.errors, "latin.csv:3: the byte 0xe9 is no text in UTF-8.")
        for (name, encoding) in [("16.csv", String.Encoding.utf16), ("16be.json", .utf16BigEndian)] {
            let wide = sample.folder.path(name)
            let data = try requireValue("name,email\na,b\n".data(using: encoding))
            try data.write(to: URL(fileURLWithPath: wide))
            let run = try await sample.run(wide, "Person")
            expectEqual(run.status, 1)
            expectContains(run.errors, "\(name):1: the file is UTF-16 or UTF-32.", "\(run.errors)")
        }
    }

    @Test("A file with a byte order mark and CR LF")
    func byteOrderMark() async throws {
        let run = try await sample.run(try sample.file("a.csv", "\u{feff}name,email\r\nAda,a@x\r\n"), "Person")
        expectEqual(run.output, "1 row: 1 inserted.\n", "\(run.errors)")
    }

    @Test("An error in the middle says what was saved before it")
    func fault() async throws {
        let rows = (0..<1_500).map { "{\"name\":\"\($0)\"}" }.joined(separator: ",\n")
        let run = try await sample.run(try sample.file("a.json", "[\(rows),\n{\"name\":}]"), "Person")
        expectEqual(run.status, 1)
        expectContains(run.errors, "Before the error: 1500 rows: 1000 inserted.", "\(run.errors)")
        expectContains(run.errors, "a.json:1501: this is no JSON: a value is missing before '}'.")
    }

    @Test(
        "Wrong arguments exit with 64",
        arguments: [
            ["x.sqlite", "a.txt", "--entity", "E"], ["x.sqlite", "-", "--entity", "E"],
            ["x.sqlite", "a.csv", "--entity", "E", "--delimiter", "ab"],
            ["x.sqlite", "a.csv", "--entity", "E", "--batch", "0"],
            ["x.sqlite", "a.csv", "--entity", "E", "--create"],
            ["x.sqlite", "a.csv", "--entity", "E", "--create", "--model", "m", "--dry-run"],
            ["x.sqlite", "a.csv", "--entity", "E", "--rename", "a"], ["x.sqlite", "a.csv"],
        ])
    func usage(arguments: [String]) async throws {
        let run = try await CommandRun(arguments: ["store", "import"] + arguments)
        expectEqual(run.status, 64)
        expectContains(run.errors, "Error: ")
    }

    @Test("A store or file that is missing is named, with the remedy")
    func missing() async throws {
        let file = try sample.file("a.csv", "name\n")
        let store = try await CommandRun("store", "import", sample.folder.path("no.sqlite"), file, "--entity", "Person")
        expectEqual(store.status, 1)
        expectContains(store.errors, "no.sqlite doesn’t exist. Make it with --create and --model MODEL.")
        let none = try await sample.run(sample.folder.path("no.csv"), "Person")
        expectContains(none.errors, "no.csv doesn’t exist.")
    }

    @Test("The history tells the author")
    func author() async throws {
        let file = try sample.file("a.csv", "name\nAda\n")
        _ = try await sample.run(file, "Person")
        let url = URL(fileURLWithPath: sample.store)
        let model = try requireValue(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: sample.modelPath)))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(
            coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options))
        try await expectEqual(sample.run(file, "Person", "--author", "me").output, "1 row: 1 inserted.\n")
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let authors = try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction])?.map(\.author)
        }
        expectEqual(authors, ["me"])
    }
}
