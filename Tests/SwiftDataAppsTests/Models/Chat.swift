import Foundation
import SwiftData

enum DeliveryState: Int, Codable, CaseIterable {
    case draft
    case sent
    case delivered
    case read
}

/// The content of a message: a payload for each kind.
enum MessageContent: Codable, Hashable {
    case text(String)
    case location(latitude: Double, longitude: Double)
    case deleted
}

protocol Timestamped {
    var createdAt: Date { get }
}

extension Timestamped {
    func isOlder(than other: some Timestamped) -> Bool { createdAt < other.createdAt }
}

@Model
final class Conversation: Timestamped {
    var title: String?
    var createdAt: Date
    var isMuted: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \ChatMessage.conversation)
    var messages: [ChatMessage] = []
    @Relationship(inverse: \ChatMember.conversations)
    var members: [ChatMember]

    init(title: String? = nil, members: [ChatMember] = [], createdAt: Date = .now) {
        self.title = title
        self.members = members
        self.createdAt = createdAt
    }

    var displayTitle: String {
        title ?? members.map(\.handle).sorted().joined(separator: ", ")
    }

    var lastMessage: ChatMessage? {
        messages.max { $0.createdAt < $1.createdAt }
    }

    @discardableResult
    func post(_ content: MessageContent, from sender: ChatMember, at date: Date = .now) -> ChatMessage {
        let message = ChatMessage(content: content, sender: sender, createdAt: date)
        messages.append(message)
        return message
    }
}

@Model
final class ChatMember {
    @Attribute(.unique) var handle: String
    var displayName: String
    @Attribute(.externalStorage) var avatar: Data?
    var conversations: [Conversation] = []
    @Relationship(deleteRule: .nullify, inverse: \ChatMessage.sender) var sentMessages: [ChatMessage] = []
    @Relationship(deleteRule: .cascade, inverse: \Reaction.member) var reactions: [Reaction] = []
    /// Only this device knows whether the member is typing.
    @Attribute(.ephemeral) var isTyping: Bool = false

    init(handle: String, displayName: String, avatar: Data? = nil) {
        self.handle = handle
        self.displayName = displayName
        self.avatar = avatar
    }
}

@Model
final class ChatMessage: Timestamped {
    #Index<ChatMessage>([\.createdAt])

    var content: MessageContent
    var createdAt: Date
    var state: DeliveryState = DeliveryState.draft
    var conversation: Conversation?
    var sender: ChatMember?
    var replyTo: ChatMessage?
    @Relationship(deleteRule: .nullify, inverse: \ChatMessage.replyTo) var replies: [ChatMessage] = []
    @Relationship(deleteRule: .cascade, inverse: \Reaction.message) var reactions: [Reaction]? = []
    @Relationship(deleteRule: .cascade) var attachment: ChatAttachment?

    init(content: MessageContent, sender: ChatMember?, createdAt: Date = .now, replyTo: ChatMessage? = nil) {
        self.content = content
        self.sender = sender
        self.createdAt = createdAt
        self.replyTo = replyTo
    }
}

@Model
final class ChatAttachment {
    var fileName: String
    var mediaType: String
    @Attribute(.externalStorage) var data: Data
    @Relationship(inverse: \ChatMessage.attachment) var message: ChatMessage?

    init(fileName: String, mediaType: String = "application/octet-stream", data: Data) {
        self.fileName = fileName
        self.mediaType = mediaType
        self.data = data
    }

    var size: Int { data.count }
}

@Model
final class Reaction {
    var emoji: String
    var message: ChatMessage?
    var member: ChatMember?

    init(_ emoji: String, on message: ChatMessage, by member: ChatMember) {
        self.emoji = emoji
        self.message = message
        self.member = member
    }
}

extension ChatMessage {
    static func unread(since date: Date) -> Predicate<ChatMessage> {
        #Predicate { message in
            message.createdAt > date && message.replyTo == nil
        }
    }

    static func posted(in title: String) -> FetchDescriptor<ChatMessage> {
        var descriptor = FetchDescriptor<ChatMessage>(
            predicate: #Predicate { $0.conversation?.title == title },
            sortBy: [SortDescriptor(\.createdAt, order: .reverse)])
        descriptor.relationshipKeyPathsForPrefetching = [\.sender]
        return descriptor
    }
}
