// SPDX-License-Identifier: Apache-2.0

import CoreDataSyncServer
import CoreDataSyncWire
import Foundation
import JWTKit

/// The accounts that JSON Web Tokens of an identity provider name.
struct WebTokens: Sendable {
    /// The claims that a token must have.
    struct Demands: Sendable {
        /// The claim `iss`; nil for any.
        var issuer: String?
        /// A member of the claim `aud`; nil for any.
        var audience: String?
        /// The seconds by which clocks may differ.
        var leeway = 30.0
    }

    private let keys: JWTKeyCollection
    private let demands: Demands
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - file: a public key as PEM (EdDSA, ECDSA or RSA), a set of keys as JSON (JWKS), or a secret of 32 bytes or
    ///     more for HS256.
    ///   - now: the clock.
    /// - Throws: ``ServeError`` for a file without a key.
    init(
        contentsOf file: URL, _ demands: Demands = Demands(), now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        let text: String
        do {
            text = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw ServeError("The key \(file.path) can't be read: \(error.localizedDescription)")
        }
        keys = JWTKeyCollection()
        (self.demands, self.now) = (demands, now)
        do {
            try await Self.add(text, to: keys)
        } catch let error as ServeError {
            throw error
        } catch {
            throw ServeError("\(file.lastPathComponent) has no key that JSON Web Tokens can be checked by: \(error)")
        }
    }

    private static func add(_ text: String, to keys: JWTKeyCollection) async throws {
        if text.hasPrefix("{") {
            for key in try keySet(text) { try await keys.add(jwk: key) }
        } else if text.contains("PRIVATE KEY") {
            throw ServeError("The file has a private key. A server needs the public one alone.")
        } else if text.contains("BEGIN") {
            if let key = try? EdDSA.PublicKey(pem: text) {
                await keys.add(eddsa: key)
            } else if let key = try? ES256PublicKey(pem: text) {
                await keys.add(ecdsa: key)
            } else if let key = try? ES384PublicKey(pem: text) {
                await keys.add(ecdsa: key)
            } else if let key = try? ES512PublicKey(pem: text) {
                await keys.add(ecdsa: key)
            } else {
                await keys.add(rsa: try Insecure.RSA.PublicKey(pem: text), digestAlgorithm: .sha256)
            }
        } else {
            guard text.utf8.count >= 32 else { throw ServeError("A secret needs 32 bytes or more.") }
            await keys.add(hmac: HMACKey(from: text), digestAlgorithm: .sha256)
        }
    }

    /// The public keys of a set. Each is for one algorithm: otherwise the first token with a key would choose it before
    /// its signature is checked.
    private static func keySet(_ text: String) throws -> [JWK] {
        let set = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        guard let members = set?["keys"] as? [[String: Any]] else {
            throw ServeError("The set of keys has no “keys”.")
        }
        var keys: [JWK] = []
        for (index, member) in members.enumerated() {
            guard (member["use"] as? String ?? "sig") == "sig", let algorithm = algorithm(of: member) else { continue }
            guard member["d"] == nil else {
                throw ServeError("The set has a private key. A server needs public ones alone.")
            }
            var member = member
            member["alg"] = algorithm
            if member["kid"] == nil { member["kid"] = "\u{0}\(index)" }
            keys.append(try JSONDecoder().decode(JWK.self, from: try JSONSerialization.data(withJSONObject: member)))
        }
        guard !keys.isEmpty else { throw ServeError("The set has no key for RS256, ES256, ES384, ES512 or EdDSA.") }
        return keys
    }

    /// The algorithm of a key; nil for one that isn't known here.
    private static func algorithm(of key: [String: Any]) -> String? {
        let known: [String]
        switch (key["kty"] as? String, key["crv"] as? String) {
        case ("RSA", _): known = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
        case ("EC", "P-256"): known = ["ES256"]
        case ("EC", "P-384"): known = ["ES384"]
        case ("EC", "P-521"): known = ["ES512"]
        case ("OKP", "Ed25519"): known = ["EdDSA"]
        default: return nil
        }
        guard let named = key["alg"] as? String else { return known[0] }
        return known.contains(named) ? named : nil
    }

    /// The account of a token: the claim `sub`, with the other claims that are texts, integers or lists of them as
    /// constants of scopes. Nil for a token that isn't valid, or that is valid for ever.
    func account(_ token: String) async -> SyncAccount? {
        guard let claims = try? await keys.verify(token, as: Claims.self).values else { return nil }
        let now = now().timeIntervalSince1970
        guard case .text(let user)? = claims["sub"], !user.isEmpty,
            let end = claims["exp"]?.time, now < end + demands.leeway,
            let begin = claims["nbf"].map({ $0.time }) ?? 0, now >= begin - demands.leeway,
            demands.issuer.map({ claims["iss"] == .text($0) }) ?? true,
            demands.audience.map({ claims["aud"]?.texts.contains($0) ?? false }) ?? true
        else { return nil }
        var constants: [String: [SyncValue]] = [:]
        for (name, claim) in claims where !Self.registered.contains(name) { constants[name] = claim.values }
        // A claim called USER is none of the server's.
        constants["USER"] = [.text(user)]
        return SyncAccount(user, constants: constants)
    }

    /// Claims about the token itself.
    private static let registered: Set<String> = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]
}

/// The claims of a token. The signature is checked before anything uses them.
private struct Claims: JWTPayload {
    let values: [String: Claim]

    init(from decoder: any Decoder) throws { values = try decoder.singleValueContainer().decode([String: Claim].self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(values)
    }

    func verify(using algorithm: some JWTAlgorithm) {}
}

/// The value of a claim.
private enum Claim: Codable, Equatable, Sendable {
    case text(String)
    case texts([String])
    case integer(Int64)
    case integers([Int64])
    case number(Double)
    /// A value that no scope can use.
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let texts = try? container.decode([String].self) {
            self = .texts(texts)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let integers = try? container.decode([Int64].self) {
            self = .integers(integers)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .other
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        case .integer(let integer): try container.encode(integer)
        case .integers(let integers): try container.encode(integers)
        case .number(let number): try container.encode(number)
        case .other: try container.encodeNil()
        }
    }

    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        default: []
        }
    }

    /// Seconds since 1970.
    var time: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    var values: [SyncValue]? {
        switch self {
        case .text, .texts: texts.map(SyncValue.text)
        case .integer(let integer): [.integer(integer)]
        case .integers(let integers): integers.map(SyncValue.integer)
        case .number, .other: nil
        }
    }
}
