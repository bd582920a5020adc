import Cryptography
package import Foundation
import JSONWire
import SQLDatabase
import SubGuardDomain
import SubGuardSQL
import TextCoding
import WebAuthn

/// Passkeys of access tokens (WebAuthn): registration and sign-in. The browser's statements are checked as section 7
/// of the recommendation orders; the attestation is not asked for.
package struct PasskeyStore: Sendable {
    let context: BackendContext
    private let maximumSignIns: Int64

    /// - Parameter maximumSignIns: outstanding challenges of sign-ins, which any client may request; the oldest is
    ///   dropped for a new one.
    package init(context: BackendContext, maximumSignIns: Int64 = 10_000) {
        self.context = context
        self.maximumSignIns = maximumSignIns
    }

    /// Outstanding challenges of registrations of a token. A flood of sign-ins drops none of them.
    private static let maximumRegistrations: Int64 = 20
    private static let maximumClientDataBytes = 4096

    // MARK: Registration

    /// Begins a registration for a token.
    package func beginCreation(tokenID: UUID, at party: RelyingParty) throws -> PasskeyCreation {
        let fresh = context.makeRandomBytes(32)
        let own = try context.store.read { session in
            try session.query(
                """
                SELECT credential_id, user_handle FROM console_passkeys WHERE token_id = ? AND relying_party = ?
                ORDER BY created_at, id
                """, [.uuid(tokenID), .text(party.id)]
            ) { (id: try $0.blob(0), handle: try $0.blob(1)) }
        }
        let handle = own.first?.handle ?? fresh
        return PasskeyCreation(
            challenge: try makeChallenge(tokenID: tokenID, userHandle: handle),
            userHandle: Base64URL.text(of: handle), excluded: own.map { Base64URL.text(of: $0.id) })
    }

    /// Registers a passkey for the token of the actor. Throws ``PasskeyRefusal``, and
    /// ``BackendError/invalid(_:)`` for its name.
    @discardableResult
    package func add(
        name: String, clientData: [UInt8], attestation: [UInt8], tokenID: UUID, at party: RelyingParty, by actor: Actor
    ) throws -> Passkey {
        let name = try Self.checked(name)
        let challenge = try Self.challenge(in: clientData, type: "webauthn.create", at: party)
        guard let issued = try consume(challenge), issued.tokenID == tokenID, let handle = issued.userHandle else {
            throw PasskeyRefusal.challenge
        }
        guard let data = try? AuthenticatorData(attestation: attestation), let credential = data.credential,
            PasskeySignature.isUsable(credential.key)
        else { throw PasskeyRefusal.malformed }
        try Self.check(data, at: party)
        let now = context.now()
        let passkey = Passkey(
            id: context.makeID(), tokenID: tokenID, name: name, relyingParty: party.id, createdAt: now, lastUsedAt: nil)
        try context.store.write { transaction in
            guard let token = try AccessTokenStore.find(tokenID, in: transaction), token.isValid(at: now) else {
                throw PasskeyRefusal.token
            }
            // The provider decides at each sign-in whether its people have a role; a passkey would pass it by.
            guard try !ConsoleSessionStore.isOpenID(tokenID, in: transaction) else { throw PasskeyRefusal.openID }
            let count = try transaction.integer(
                "SELECT count(*) FROM console_passkeys WHERE token_id = ?", [.uuid(tokenID)])
            guard (count ?? 0) < Int64(Passkey.maximumCount) else { throw PasskeyRefusal.tooMany }
            // An id belongs to one key for ever, otherwise an attacker could take over the passkey of another token.
            let isNew = try transaction.execute(
                """
                INSERT INTO console_passkeys (id, token_id, name, relying_party, credential_id, user_handle, public_key,
                sign_count, verifies_user, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (credential_id) DO NOTHING
                """,
                [
                    .uuid(passkey.id), .uuid(tokenID), .text(name), .text(party.id), .blob(credential.id),
                    .blob(handle), .blob(credential.keyBytes), .integer(Int64(data.signCount)),
                    .integer(data.isUserVerified ? 1 : 0), .instant(now),
                ])
            guard isNew == 1 else { throw PasskeyRefusal.registered }
            try AuditLog.append(
                .consolePasskeyAdd, of: passkey.id, after: Self.auditJSON(passkey, of: token), by: actor, at: now,
                in: transaction)
        }
        return passkey
    }

    /// The name without blanks around it. Throws ``BackendError/invalid(_:)``.
    package static func checked(_ name: String) throws -> String {
        let name = CatalogueRules.trimmed(name)
        if let fault = CatalogueRules.nameError(name, field: "#/name") { throw BackendError.invalid([fault]) }
        return name
    }

    // MARK: Sign-in

    /// A challenge for a sign-in, as base64url.
    package func beginSignIn() throws -> String { try makeChallenge(tokenID: nil, userHandle: nil) }

    private struct Stored {
        let passkey: Passkey
        let userHandle: [UInt8]
        let key: [UInt8]
        let signCount: Int64
        let verifiesUser: Bool
    }

    /// Begins a session of the passkey's token and returns its secret. Throws ``PasskeyRefusal``.
    ///
    /// It is good for changes of access only if the authenticator verified its user now and when the passkey was made:
    /// otherwise, a finder of a security key without a PIN would give it one of his own.
    package func signIn(
        _ assertion: PasskeyAssertion, at party: RelyingParty, browser: String?, replacing previous: String? = nil,
        requestID: String? = nil
    ) throws -> String {
        let challenge = try Self.challenge(in: assertion.clientData, type: "webauthn.get", at: party)
        guard let issued = try consume(challenge), issued.tokenID == nil else { throw PasskeyRefusal.challenge }
        guard let data = try? AuthenticatorData(assertion.authenticatorData) else { throw PasskeyRefusal.malformed }
        try Self.check(data, at: party)
        let found = try context.store.read { session in
            try session.first(
                """
                SELECT \(Self.columns), user_handle, public_key, sign_count, verifies_user
                FROM console_passkeys WHERE credential_id = ?
                """, [.blob(assertion.credentialID)]
            ) {
                Stored(
                    passkey: try Self.passkey($0), userHandle: try $0.blob(6), key: try $0.blob(7),
                    signCount: try $0.integer(8), verifiesUser: try $0.integer(9) == 1)
            }
        }
        guard let found, found.passkey.relyingParty == party.id else { throw PasskeyRefusal.unknown }
        guard found.userHandle == assertion.userHandle else { throw PasskeyRefusal.userHandle }
        let signed = assertion.authenticatorData + SHA256.hash(of: assertion.clientData)
        guard let key = try? COSEKey(bytes: found.key),
            PasskeySignature.isValid(assertion.signature, of: signed, by: key)
        else { throw PasskeyRefusal.signature }
        let count = Int64(data.signCount)
        guard count > found.signCount || count == 0 && found.signCount == 0 else { throw PasskeyRefusal.signCount }
        return try context.write { transaction, now in
            guard let token = try AccessTokenStore.find(found.passkey.tokenID, in: transaction), token.isValid(at: now)
            else { throw PasskeyRefusal.token }
            // Removed or used by another request meanwhile.
            let updated = try transaction.execute(
                "UPDATE console_passkeys SET sign_count = ?, last_used_at = ? WHERE id = ? AND sign_count = ?",
                [.integer(count), .instant(now), .uuid(found.passkey.id), .integer(found.signCount)])
            guard updated == 1 else { throw PasskeyRefusal.signCount }
            return try ConsoleSessionStore(context: context).begin(
                ConsoleSessionStore.NewSession(
                    token: token, browser: browser, requestID: requestID, means: .passkey,
                    confirmedAt: data.isUserVerified && found.verifiesUser ? nil : .earliest),
                replacing: previous, in: transaction)
        }
    }

    // MARK: Checks

    /// Checks what the browser states and returns the challenge, as base64url.
    private static func challenge(
        in clientData: [UInt8], type: String, at party: RelyingParty
    ) throws(PasskeyRefusal) -> String {
        guard clientData.count <= maximumClientDataBytes,
            let object = (try? JSONValue.parse(clientData, maximumValues: 100))?.objectValue
        else { throw .malformed }
        guard object["type"]?.stringValue == type else { throw .type }
        // Bytewise: Swift compares texts by canonical equivalence.
        guard let origin = object["origin"]?.stringValue, origin.utf8.elementsEqual(party.origin.utf8),
            object["crossOrigin"]?.boolValue != true
        else { throw .origin }
        guard let challenge = object["challenge"]?.stringValue, ConsoleSecret.isWellFormed(challenge) else {
            throw .challenge
        }
        return challenge
    }

    private static func check(_ data: AuthenticatorData, at party: RelyingParty) throws(PasskeyRefusal) {
        guard data.relyingPartyHash == SHA256.hash(of: party.id.utf8) else { throw .relyingParty }
        guard data.isUserPresent else { throw .userAbsent }
    }

    // MARK: Challenges

    private func makeChallenge(tokenID: UUID?, userHandle: [UInt8]?) throws -> String {
        let text = Base64URL.text(of: context.makeRandomBytes(ConsoleSecret.randomByteCount))
        let now = context.now()
        let (kind, values, maximum): (String, [SQLValue], Int64) =
            tokenID.map { ("token_id = ?", [.uuid($0)], Self.maximumRegistrations) }
            ?? ("token_id IS NULL", [], maximumSignIns)
        try context.store.write { transaction in
            try transaction.execute("DELETE FROM console_challenges WHERE expires_at <= ?", [.instant(now)])
            let count = try transaction.integer("SELECT count(*) FROM console_challenges WHERE \(kind)", values)
            if (count ?? 0) >= maximum {
                try transaction.execute(
                    """
                    DELETE FROM console_challenges WHERE challenge_hash IN (
                    SELECT challenge_hash FROM console_challenges WHERE \(kind) ORDER BY expires_at LIMIT 1)
                    """, values)
            }
            try transaction.execute(
                """
                INSERT INTO console_challenges (challenge_hash, token_id, user_handle, expires_at) VALUES (?, ?, ?, ?)
                """,
                [
                    .blob(ConsoleSecret.hash(text)), .uuid(orNull: tokenID), .blob(orNull: userHandle),
                    .instant(now.adding(seconds: Int64(Passkey.challengeMinutes) * 60)),
                ])
        }
        return text
    }

    /// Uses a challenge up, whatever becomes of the answer; nil for one that is unknown, used or expired.
    private func consume(_ challenge: String) throws -> (tokenID: UUID?, userHandle: [UInt8]?)? {
        try context.write { transaction, now in
            try transaction.query(
                """
                DELETE FROM console_challenges WHERE challenge_hash = ? AND expires_at > ? AND expires_at <= ?
                RETURNING token_id, user_handle
                """,
                [
                    .blob(ConsoleSecret.hash(challenge)), .instant(now),
                    .instant(BackendContext.latestEnd(minutes: Passkey.challengeMinutes, at: now)),
                ]
            ) { (tokenID: $0.isNull(0) ? nil : try $0.uuid(0), userHandle: try $0.optionalBlob(1)) }.first
        }
    }
}
