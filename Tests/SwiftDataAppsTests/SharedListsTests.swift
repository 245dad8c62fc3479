import CoreData
import CoreDataSync
import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import SwiftData
import TestSupport
import Testing

@Suite struct SharedListsTests {
    private static func model() throws -> NSManagedObjectModel {
        try requireValue(
            NSManagedObjectModel.makeManagedObjectModel(for: SharedList.self, ListMember.self, ListItem.self))
    }

    private static func coordinator(_ model: NSManagedObjectModel, _ url: URL) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        return coordinator
    }

    // MARK: Templates

    private static func template<each Input>(
        _ predicate: Predicate<repeat each Input>, _ variables: String...
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        let model = try model()
        switch variables.count {
        case 0: try model.setFetchRequestTemplate(predicate, forName: "template")
        case 1: try model.setFetchRequestTemplate(predicate, variables: variables[0], forName: "template")
        default:
            try model.setFetchRequestTemplate(predicate, variables: variables[0], variables[1], forName: "template")
        }
        return try requireValue(model.fetchRequestTemplate(forName: "template"))
    }

    @Test func predicateOfAModelAndAConstantIsATemplate() throws {
        let request = try Self.template(
            #Predicate<ListMember, String> { member, user in member.user == user && !member.hasLeft }, "USER")
        expectEqual(request.entityName, "ListMember")
        expectEqual(request.predicate.map { "\($0)" }, "user == $USER AND (NOT hasLeft == 1)")
    }

    @Test func predicateOfAListOfConstantsIsATemplate() throws {
        let request = try Self.template(
            #Predicate<ListItem, [String], Int> { item, names, count in
                names.contains(item.name) && item.name.count > count
            }, "NAMES", "COUNT")
        expectEqual(request.predicate.map { "\($0)" }, "name IN $NAMES AND length:(name) > $COUNT")
    }

    @Test func templateWithItsVariablesFindsModels() throws {
        let store = try AppStore(SharedList.self, ListMember.self, ListItem.self)
        _ = try store.relaunched {
            let list = SharedList(title: "Food")
            $0.insert(list)
            for name in ["Milk", "Salt"] { $0.insert(ListItem(name: name, list: list)) }
        }
        let model = try Self.model()
        try model.setFetchRequestTemplate(
            #Predicate<ListItem, String> { $0.list?.title == "Food" && $0.name == $1 }, variables: "NAME",
            forName: "named")
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = try Self.coordinator(model, store.url)
        try context.performAndWait {
            let model = try requireValue(context.persistentStoreCoordinator?.managedObjectModel)
            let request = try requireValue(
                model.fetchRequestFromTemplate(withName: "named", substitutionVariables: ["NAME": "Salt"]))
            try expectEqual(context.count(for: request), 1)
        }
    }

    @Test func templateWithoutNamesOfItsInputsIsRefused() throws {
        let predicate = #Predicate<ListMember, String> { $0.user == $1 }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try Self.template(predicate) }
        for name in ["", "a b", "1", "$USER", "x1"] {
            #expect(throws: SwiftDataError.unsupportedPredicate) { try Self.template(predicate, name) }
        }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try Self.template(predicate, "USER", "OTHER") }
        let other = #Predicate<ListMember, String, Bool> { $0.user == $1 && $0.hasLeft == $2 }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try Self.template(other, "USER", "USER") }
    }

    @Test func templateOfAValueIsRefused() throws {
        #expect(throws: SwiftDataError.unknownSchema) {
            try Self.template(#Predicate<String, String> { $0 == $1 }, "USER")
        }
    }

    @Test func templateOfAnotherSchemaIsRefused() throws {
        let model = try requireValue(NSManagedObjectModel.makeManagedObjectModel(for: Recipe.self))
        #expect(throws: SwiftDataError.unknownSchema) {
            try model.setFetchRequestTemplate(
                #Predicate<ListMember, String> { $0.user == $1 }, variables: "USER", forName: "mine")
        }
    }

    @Test func modelIsNoConstantOfATemplate() throws {
        let context = try memoryContext(for: SharedList.self, ListMember.self, ListItem.self)
        let list = SharedList(title: "Food")
        context.insert(list)
        let id = list.persistentModelID
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try Self.template(#Predicate<ListItem> { $0.list?.persistentModelID == id })
        }
    }

    // MARK: Sync

    /// An app with its store, which syncs, and its user.
    private struct Device {
        let container: ModelContainer
        let replica: SyncReplica
        let account: SyncAccount

        init(_ user: String, in folder: TemporaryFolder) throws {
            account = SyncAccount(user)
            let url = folder.file("\(user).store")
            container = try ModelContainer(
                for: SharedList.self, ListMember.self, ListItem.self, configurations: ModelConfiguration(url: url))
            let side = try coordinator(SyncReplica.sideModel, folder.file("\(user).sync"))
            replica = try SyncReplica(try coordinator(try model(), url), side: side)
            try replica.resume()
        }

        /// Sends what the app has saved, and takes what others have.
        func sync(_ service: SyncService) throws {
            while let request = try replica.pushRequest() {
                try replica.receive(service.answer(request, account: account), to: request)
                try pull(service)
            }
            try pull(service)
        }

        private func pull(_ service: SyncService) throws {
            while true {
                let request = try replica.pullRequest()
                let response = service.answer(request, account: account)
                try replica.receive(response, to: request)
                if case .changes(let changes) = response, !changes.isLast { continue }
                return
            }
        }

        func titles() throws -> [String] {
            try ModelContext(container).fetch(FetchDescriptor<SharedList>()).map(\.title).sorted()
        }

        func items() throws -> [String] {
            try ModelContext(container).fetch(FetchDescriptor<ListItem>()).map(\.name).sorted()
        }
    }

    @Test func storesOfAppsSyncWithinTheScopesOfTheirUsers() throws {
        let folder = try TemporaryFolder()
        let model = try Self.model()
        try model.setFetchRequestTemplate(
            #Predicate<ListMember, String> { $0.user == $1 && !$0.hasLeft }, variables: "USER", forName: "mine")
        let merged = try requireValue(SyncServerModel.merged(with: model))
        let service = try SyncService(
            Self.coordinator(merged, folder.file("server.store")),
            scopes: [SyncScope("mine", follows: ["list.items", "list.members"])])
        let (ann, ben) = (try Device("ann", in: folder), try Device("ben", in: folder))

        let context = ModelContext(ann.container)
        let (food, work) = (SharedList(title: "Food"), SharedList(title: "Work"))
        for list in [food, work] {
            context.insert(list)
            context.insert(ListMember(user: "ann", list: list))
        }
        context.insert(ListItem(name: "Milk", list: food))
        context.insert(ListItem(name: "Desk", list: work))
        context.insert(ListMember(user: "ben", list: food))
        try context.save()
        try ann.sync(service)
        try ben.sync(service)
        try expectEqual(ben.titles(), ["Food"])
        try expectEqual(ben.items(), ["Milk"])

        let other = ModelContext(ben.container)
        let list = try requireValue(try other.fetch(FetchDescriptor<SharedList>()).first)
        other.insert(ListItem(name: "Salt", list: list))
        try other.save()
        try ben.sync(service)
        try ann.sync(service)
        try expectEqual(ann.items(), ["Desk", "Milk", "Salt"])

        // A row that changes takes a user out of a list.
        let user = "ben"
        let member = try requireValue(
            try context.fetch(FetchDescriptor<ListMember>(predicate: #Predicate { $0.user == user })).first)
        member.hasLeft = true
        try context.save()
        try ann.sync(service)
        try ben.sync(service)
        try expectEqual(ben.titles(), [])
        try expectEqual(ben.items(), [])
    }
}
