import CoreData
import Testing

@Suite("The userInfo of descriptions")
struct UserInfoTests {
    @Test("is empty in a new property description")
    func empty() {
        expectEqual(NSAttributeDescription().userInfo?.isEmpty, true)
        expectEqual(NSRelationshipDescription().userInfo?.isEmpty, true)
    }

    @Test("may be changed while a coordinator uses the model")
    func inUse() throws {
        let stack = try TestStack(.memory)
        let book = try requireValue(stack.model.entitiesByName["Book"])
        let pages = try requireValue(book.attributesByName["pages"])
        pages.userInfo = ["unit": "page"]
        book.userInfo = ["icon": "book"]
        #expect(pages.userInfo?["unit"] as? String == "page")
        #expect(book.userInfo?["icon"] as? String == "book")
    }
}
