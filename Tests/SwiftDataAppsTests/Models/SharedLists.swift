import Foundation
import SwiftData

/// Lists that several people share: a row for each person who may see a list.
@Model final class SharedList {
    #Unique<SharedList>([\.id])
    var id: UUID
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \ListMember.list) var members: [ListMember] = []
    @Relationship(deleteRule: .cascade, inverse: \ListItem.list) var items: [ListItem] = []

    init(id: UUID = UUID(), title: String) {
        (self.id, self.title) = (id, title)
    }
}

@Model final class ListMember {
    var user: String
    var hasLeft = false
    var list: SharedList?

    init(user: String, list: SharedList) {
        self.user = user
        self.list = list
    }
}

@Model final class ListItem {
    var name: String
    var list: SharedList?

    init(name: String, list: SharedList) {
        self.name = name
        self.list = list
    }
}
