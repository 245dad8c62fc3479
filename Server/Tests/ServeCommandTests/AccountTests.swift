import CoreDataSyncServer
import CoreDataSyncWire
import Crypto
import Foundation
import JWTKit
import Testing

@testable import ServeCommand

@Suite("The file of tokens") struct UserTokenTests {
    @Test("has line ends of Windows, too")
    func lineEnds() async throws {
        let tokens = try UserTokens("ann 0123456789abcdef\r\nben fedcba9876543210\r\n", name: "tokens")
        let accounts = Accounts(tokens: tokens)
        #expect(await accounts.account(authorization: "Bearer fedcba9876543210")?.name == "ben")
        #expect(await accounts.account(authorization: "bearer 0123456789abcdef")?.name == "ann")
        #expect(await accounts.account(authorization: "Basic 0123456789abcdef") == nil)
    }

    @Test("names the line of a token that can't be one", arguments: ["ann", "ann short", "ann a b", "# nothing"])
    func badTokens(_ text: String) {
        #expect(throws: ServeError.self) { try UserTokens(text, name: "tokens") }
    }
}

/// The claims of a token in a test.
private struct TestClaims: JWTPayload {
    var sub: String? = "ann"
    var exp: Double? = 2_000_000_000
    var nbf: Double?
    var iss: String?
    var aud: [String]?
    var teams: [String]?
    var level: Int?
    var USER: String?

    func verify(using algorithm: some JWTAlgorithm) {}
}

@Suite("JSON Web Tokens") struct WebTokenTests {
    private let key = ES256PrivateKey()
    private static let time = Date(timeIntervalSince1970: 1_900_000_000)

    /// The account of a token that the key signs.
    private func account(
        _ claims: TestClaims, _ demands: WebTokens.Demands = WebTokens.Demands()
    ) async throws -> SyncAccount? {
        try await tokens(key.publicKey.pemRepresentation, demands).account(try await sign(claims))
    }

    private func sign(_ claims: TestClaims) async throws -> String {
        try await JWTKeyCollection().add(ecdsa: key).sign(claims)
    }

    private func tokens(_ key: String, _ demands: WebTokens.Demands = WebTokens.Demands()) async throws -> WebTokens {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-serve-\(UUID()).pem")
        try Data(key.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await WebTokens(contentsOf: file, demands) { Self.time }
    }

    @Test("name the account, and have the constants of scopes among their claims")
    func claims() async throws {
        let team = UUID()
        var claims = TestClaims(teams: ["red", team.uuidString], level: 3)
        claims.USER = "root"
        let account = try #require(try await account(claims))
        #expect(account.name == "ann")
        #expect(
            account.constants == [
                "USER": [.text("ann")], "teams": [.text("red"), .text(team.uuidString)], "level": [.integer(3)],
            ])
    }

    @Test("are refused when their time hasn't come, is over, or has no end")
    func times() async throws {
        let now = Self.time.timeIntervalSince1970
        #expect(try await account(TestClaims(exp: now - 20))?.name == "ann")
        #expect(try await account(TestClaims(exp: now - 31)) == nil)
        #expect(try await account(TestClaims(exp: nil)) == nil)
        #expect(try await account(TestClaims(nbf: now + 31)) == nil)
        #expect(try await account(TestClaims(nbf: now + 20))?.name == "ann")
    }

    @Test("are refused without a user, and for another issuer or audience than the server's")
    func demands() async throws {
        #expect(try await account(TestClaims(sub: nil)) == nil)
        #expect(try await account(TestClaims(sub: "")) == nil)
        let issuer = WebTokens.Demands(issuer: "https://id.example.org")
        #expect(try await account(TestClaims(), issuer) == nil)
        #expect(try await account(TestClaims(iss: "https://id.example.com"), issuer) == nil)
        #expect(try await account(TestClaims(iss: "https://id.example.org"), issuer)?.name == "ann")
        let audience = WebTokens.Demands(audience: "notes")
        #expect(try await account(TestClaims(aud: []), audience) == nil)
        #expect(try await account(TestClaims(aud: ["mail"]), audience) == nil)
        #expect(try await account(TestClaims(aud: ["mail", "notes"]), audience)?.name == "ann")
    }

    @Test("are refused with another signature, or none")
    func signatures() async throws {
        let tokens = try await tokens(key.publicKey.pemRepresentation)
        let good = try await sign(TestClaims())
        let other = try await JWTKeyCollection().add(ecdsa: ES256PrivateKey()).sign(TestClaims())
        // The public key, which everybody may have, as the secret of another algorithm.
        let confused = try await JWTKeyCollection().add(
            hmac: HMACKey(from: key.publicKey.pemRepresentation), digestAlgorithm: .sha256
        ).sign(TestClaims())
        let parts = good.split(separator: ".")
        let none = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().replacingOccurrences(
            of: "=", with: "")
        let forged = [
            other, confused, "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "\(none).\(parts[1]).",
            "\(none).\(parts[1]).\(parts[2])", "\(parts[1]).\(parts[1]).\(parts[2])", "", "..", "a.b.c",
        ]
        for token in forged { #expect(await tokens.account(token) == nil, "\(token)") }
        #expect(await tokens.account(good)?.name == "ann")
    }

    @Test("are checked by a secret, and by a set of keys")
    func kinds() async throws {
        let secret = "a secret of thirty-two characters"
        let token = try await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
            .sign(TestClaims())
        #expect(try await tokens(secret).account(token)?.name == "ann")
        let parameters = try #require(key.publicKey.parameters)
        let set = """
            {"keys": [{"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "one", "x": "\(parameters.x)", \
            "y": "\(parameters.y)"}]}
            """
        #expect(try await tokens(set).account(try await sign(TestClaims()))?.name == "ann")
    }

    @Test("keep the algorithm of a key that a set doesn't name, whatever the first token says")
    func unnamedAlgorithm() async throws {
        let parameters = try #require(key.publicKey.parameters)
        let set = """
            {"keys": [{"kty": "oct", "k": "AAAA"}, {"kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB", "kid": "x"}, \
            {"kty": "EC", "crv": "P-256", "x": "\(parameters.x)", "y": "\(parameters.y)"}]}
            """
        let tokens = try await tokens(set)
        let good = try await sign(TestClaims())
        let parts = good.split(separator: ".")
        for algorithm in ["ES384", "RS256", "HS256", "none"] {
            let header = Data("{\"alg\":\"\(algorithm)\"}".utf8).base64EncodedString()
                .replacingOccurrences(of: "=", with: "")
            #expect(await tokens.account("\(header).\(parts[1]).\(parts[2])") == nil || algorithm == "ES256")
        }
        #expect(await tokens.account(good)?.name == "ann")
    }

    @Test(
        "need a key that can be one: the file is named",
        arguments: [
            "short", "{", "{\"keys\": 1}", "{\"keys\": [{\"kty\": \"oct\", \"k\": \"AAAA\"}]}",
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
        ])
    func badKeys(_ text: String) async {
        await #expect(throws: ServeError.self) { try await tokens(text) }
    }

    @Test("are never checked by a private key")
    func privateKey() async {
        await #expect(throws: ServeError.self) { try await tokens(key.pemRepresentation) }
    }
}
