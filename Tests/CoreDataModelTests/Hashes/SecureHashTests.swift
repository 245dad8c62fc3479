import Digests
import Testing

@testable import CoreDataModel

@Suite("Secure hashes on NIST's vectors")
struct SecureHashTests {
    static let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    static let twoLongBlocks =
        """
        abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu
        """

    /// A placeholder for a million letters a, which would fill the test report.
    static let millionOfA = "a million of a"

    @Test(
        "SHA-256 gives the published digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (twoBlocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            (twoLongBlocks, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
            (millionOfA, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func sha256(message: String, digest: String) {
        let message = message == Self.millionOfA ? String(repeating: "a", count: 1_000_000) : message
        expectEqual(Data(SHA256.hash(message.utf8)).hex, digest)
    }

    @Test(
        "SHA-512 gives the published digests",
        arguments: [
            (
                "",
                """
                cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
                47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e
                """
            ),
            (
                "abc",
                """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
                """
            ),
            (
                twoLongBlocks,
                """
                8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018\
                501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909
                """
            ),
            (
                millionOfA,
                """
                e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb\
                de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b
                """
            ),
        ])
    func sha512(message: String, digest: String) {
        let message = message == Self.millionOfA ? String(repeating: "a", count: 1_000_000) : message
        expectEqual(Data(SHA512.hash(message.utf8)).hex, digest)
    }

    @Test("Messages with lengths near the block size are padded correctly")
    func padding() {
        expectEqual(
            Data(SHA256.hash(String(repeating: "x", count: 119).utf8)).hex,
            Data(SHA256.hash(Array(repeating: UInt8(ascii: "x"), count: 119))).hex)
        for count in 50...140 {
            expectEqual(SHA256.hash([UInt8](repeating: 1, count: count)).count, 32)
            expectEqual(SHA512.hash([UInt8](repeating: 1, count: count)).count, 64)
        }
    }
}
