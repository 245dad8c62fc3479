// SPDX-License-Identifier: Apache-2.0

import CoreDataPredicates
import Testing

@Suite("Dictionaries with a maximal number of keys")
struct BoundedDictionaryTests {
    @Test("as many keys as its capacity are kept")
    func keepsKeys() {
        var dictionary = BoundedDictionary<Int, String>(capacity: 3)
        for key in 0..<3 { dictionary[key] = "\(key)" }
        expectEqual((0..<3).map { dictionary[$0] }, ["0", "1", "2"])
    }

    @Test("one key more starts it anew")
    func startsAnew() {
        var dictionary = BoundedDictionary<Int, String>(capacity: 3)
        for key in 0..<4 { dictionary[key] = "\(key)" }
        expectEqual(dictionary.count, 1)
        expectEqual(dictionary[3], "3")
    }

    @Test("a known key gets another value, though it is full")
    func replacesValue() {
        var dictionary = BoundedDictionary<Int, String>(capacity: 2)
        for key in 0..<2 { dictionary[key] = "\(key)" }
        dictionary[1] = "one"
        expectEqual((0..<2).map { dictionary[$0] }, ["0", "one"])
    }

    @Test("nil removes a key")
    func removesKey() {
        var dictionary = BoundedDictionary<Int, String>(capacity: 2)
        dictionary[0] = "0"
        dictionary[0] = nil
        expectEqual(dictionary.count, 0)
    }

    @Test("a value is made once")
    func makesValueOnce() {
        var dictionary = BoundedDictionary<Int, Int>(capacity: 2)
        var made = 0
        for _ in 0..<3 {
            _ = dictionary.value(7) {
                made += 1
                return made
            }
        }
        expectEqual(made, 1)
    }

    @Test("a value whose making has failed is made again")
    func makesValueAgain() {
        struct Failure: Error {}
        var dictionary = BoundedDictionary<Int, Int>(capacity: 2)
        #expect(throws: Failure.self) { try dictionary.value(7) { throw Failure() } }
        expectEqual(dictionary.value(7) { 8 }, 8)
    }
}
