import CoreData
import Foundation
import SwiftData
import Testing

@Suite struct ChatTests {
    let store: AppStore

    init() throws {
        store = try AppStore(
            Conversation.self, ChatMember.self, ChatMessage.self, ChatAttachment.self, Reaction.self)
    }

    private func fill(_ context: ModelContext) {
        let ada = ChatMember(handle: "ada", displayName: "Ada")
        let ben = ChatMember(handle: "ben", displayName: "Ben", avatar: Data(repeating: 7, count: 200_000))
        let talk = Conversation(title: "Engines", members: [ada, ben], createdAt: day(0))
        // Only the conversation is inserted. The rest hangs on it.
        context.insert(talk)
        let first = talk.post(.text("Hello"), from: ada, at: day(1))
        first.state = .read
        first.attachment = ChatAttachment(fileName: "plan.pdf", data: Data([1, 2, 3]))
        let second = talk.post(.location(latitude: 48.1, longitude: 11.5), from: ben, at: day(2))
        second.replyTo = first
        context.insert(Reaction("👍", on: second, by: ada))
        talk.post(.deleted, from: ben, at: day(3))
    }

    @Test func graphOfOneInsertIsSaved() throws {
        let context = try store.relaunched(after: fill)
        let talk = try context.one(Conversation.self)
        expectEqual(talk.messages.count, 3)
        expectEqual(talk.members.map(\.handle).sorted(), ["ada", "ben"])
        expectEqual(talk.lastMessage?.content, .deleted)
    }

    @Test func payloadsOfContentsAreRead() throws {
        let context = try store.relaunched(after: fill)
        let messages = try context.fetch(FetchDescriptor<ChatMessage>(sortBy: [SortDescriptor(\.createdAt)]))
        expectEqual(messages.map(\.content), [.text("Hello"), .location(latitude: 48.1, longitude: 11.5), .deleted])
    }

    @Test func repliesAreTheOtherSideOfReplyTo() throws {
        let context = try store.relaunched(after: fill)
        let first = try context.one(ChatMessage.self, where: #Predicate { !$0.replies.isEmpty })
        #expect(first.replies.first?.replyTo === first)
        expectEqual(first.replies.first?.reactions?.first?.emoji, "👍")
    }

    @Test func ephemeralValueIsNotSaved() throws {
        let context = try store.launch()
        fill(context)
        for member in try context.fetch(FetchDescriptor<ChatMember>()) { member.isTyping = true }
        try context.save()
        let after = try store.launch()
        let typing = try after.fetch(FetchDescriptor<ChatMember>()).map(\.isTyping)
        expectEqual(typing, [false, false])
    }

    @Test func deletedConversationTakesItsMessages() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(Conversation.self))
        try context.save()
        let after = try store.launch()
        try expectEqual(after.count(ChatMessage.self), 0)
        try expectEqual(after.count(ChatAttachment.self), 0)
        try expectEqual(after.count(Reaction.self), 0)
        try expectEqual(after.count(ChatMember.self), 2)
    }

    @Test func deletedMemberLeavesTheMessages() throws {
        let context = try store.relaunched(after: fill)
        context.delete(try context.one(ChatMember.self, where: #Predicate { $0.handle == "ben" }))
        try context.save()
        let after = try store.launch()
        let messages = try after.fetch(FetchDescriptor<ChatMessage>())
        expectEqual(messages.count { $0.sender == nil }, 2)
    }

    @Test func memberOfAKnownHandleReplacesTheMember() throws {
        let context = try store.relaunched(after: fill)
        context.insert(ChatMember(handle: "ada", displayName: "Ada L."))
        try context.save()
        let after = try store.launch()
        let ada = try after.one(ChatMember.self, where: #Predicate { $0.handle == "ada" })
        expectEqual(ada.displayName, "Ada L.")
    }

    @Test func externalDataIsRead() throws {
        let context = try store.relaunched(after: fill)
        let ben = try context.one(ChatMember.self, where: #Predicate { $0.avatar != nil })
        expectEqual(ben.avatar, Data(repeating: 7, count: 200_000))
    }

    @Test func staticDescriptorsFetch() throws {
        let context = try store.relaunched(after: fill)
        try expectEqual(context.fetch(ChatMessage.posted(in: "Engines")).map(\.createdAt), [day(3), day(2), day(1)])
        let unread = FetchDescriptor(predicate: ChatMessage.unread(since: day(1)))
        try expectEqual(context.fetchCount(unread), 1)
    }

    @Test func protocolExtensionsCompareModels() throws {
        let context = try store.relaunched(after: fill)
        let talk = try context.one(Conversation.self)
        expectTrue(talk.isOlder(than: try #require(talk.lastMessage)))
    }

    @Test func coreDataReadsTheSameStore() throws {
        _ = try store.relaunched(after: fill)
        let context = try store.managedContext()
        let names = try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "ChatMember")
            request.predicate = NSPredicate(format: "ANY conversations.title == %@", "Engines")
            return try context.fetch(request).compactMap { $0.value(forKey: "displayName") as? String }.sorted()
        }
        expectEqual(names, ["Ada", "Ben"])
    }
}
