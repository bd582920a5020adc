import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TextCoding

/// Passkeys: the list, registration, and the sign-in.
extension ConsoleRoutes {
    private static let passkeyPath = "/console/access/passkeys"

    func passkeyBindings() -> [RouteBinding] {
        [
            gate.page(Self.passkeyPath, for: .session) { visit in
                if let text = visit.parameter("remove") {
                    let listed = try listedPasskeys(visit)
                    guard let row = UUID(strict: text).flatMap({ id in listed.first { $0.passkey.id == id } }) else {
                        throw HTTPFailure.notFound
                    }
                    return PasskeysPage.removal(of: row, in: seesAllPasskeys(visit) ? .access : nil)
                }
                return try passkeyPage(visit)
            },
            gate.form(
                Self.passkeyPath, for: .session, FormShape(optional: ["remove", "name"], choosing: ["remove", "name"])
            ) { visit in
                try gate.confirmed(visit) { visit in
                    let form = try visit.form()
                    return try form["remove"].map { try removePasskey($0, visit) } ?? beginPasskey(form, visit)
                }
            },
            // Its challenge was given out after the token was entered, to this token only.
            gate.form(
                "\(Self.passkeyPath)/register", for: .session, FormShape(["name", "client_data", "attestation"]),
                addPasskey),
            // Takes a row each, and any client may ask.
            gate.form("/console/login/challenge", for: .open, FormShape(), allowance: .account) { visit in
                guard gate.origin.mayCarrySecrets(visit.request),
                    let party = gate.origin.relyingParty(visit.request)
                else { throw HTTPFailure(.forbidden, "Passkeys cannot be used at this address.") }
                let challenge = try passkeys.beginSignIn()
                var response = ConsoleResponse.page(
                    JSONWriter.bytes { writer in
                        writer.field("challenge", challenge)
                        writer.field("party", party.id)
                    })
                response.fields[.contentType] = "application/json"
                return response
            },
            gate.signInForm(
                "/console/login/passkey",
                FormShape(
                    ["credential", "client_data", "authenticator_data", "signature", "user_handle"],
                    optional: ["next"])
            ) { try signInByPasskey($0) },
        ]
    }

    // MARK: List

    private func seesAllPasskeys(_ visit: ConsoleVisit) -> Bool { visit.mayCall(.revokeAccessToken) }

    private func listedPasskeys(_ visit: ConsoleVisit) throws -> [ListedPasskey] {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        return try passkeys.list(ofToken: seesAllPasskeys(visit) ? nil : session.token.id)
    }

    /// The name of the identity provider that the session's person has to go through; nil for a token of its own.
    private func provider(of visit: ConsoleVisit) throws -> String? {
        guard let openID = gate.openID, let session = visit.session, try gate.sessions.isOpenID(session.token.id)
        else { return nil }
        return openID.name
    }

    private func passkeyPage(
        _ visit: ConsoleVisit, draft: PasskeysPage.Draft = PasskeysPage.Draft()
    ) throws -> PasskeysPage {
        PasskeysPage(
            try listedPasskeys(visit), isPossible: gate.origin.relyingParty(visit.request) != nil,
            provider: try provider(of: visit), draft: draft)
    }

    private func removePasskey(_ text: String, _ visit: ConsoleVisit) throws -> Response {
        guard let session = visit.session, let id = UUID(strict: text) else { throw HTTPFailure.notFound }
        // Removed meanwhile, or by the same form sent twice: the result is the same.
        try passkeys.remove(id, ofToken: seesAllPasskeys(visit) ? nil : session.token.id, by: try visit.actor())
        return ConsoleResponse.seeOther("\(Self.passkeyPath)?notice=removed")
    }

    // MARK: Registration

    private func beginPasskey(_ form: FormFields, _ visit: ConsoleVisit) throws -> Response {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        var draft = PasskeysPage.Draft()
        draft.name = form["name"] ?? ""
        guard let party = gate.origin.relyingParty(visit.request), try provider(of: visit) == nil else {
            return visit.show(try passkeyPage(visit, draft: draft), .unprocessableContent)
        }
        do {
            let name = try PasskeyStore.checked(draft.name)
            let creation = try passkeys.beginCreation(tokenID: session.token.id, at: party)
            return ConsoleResponse.page(PasskeysPage.creation(visit.frame, name: name, of: creation, at: party))
        } catch let error where Self.refusal(error) != nil {
            return try refusedName(error, draft, visit)
        }
    }

    private func refusedName(
        _ error: any Error, _ draft: PasskeysPage.Draft, _ visit: ConsoleVisit
    ) throws -> Response {
        guard let refusal = Self.refusal(error) else { throw error }
        var draft = draft
        draft.faults = refusal.refusals
        return visit.show(try passkeyPage(visit, draft: draft), .of(refusal.code))
    }

    private func addPasskey(_ visit: ConsoleVisit) throws -> Response {
        guard let session = visit.session else { throw HTTPFailure.notFound }
        let form = try visit.form()
        var draft = PasskeysPage.Draft()
        draft.name = form["name"] ?? ""
        guard let party = gate.origin.relyingParty(visit.request),
            let clientData = Self.bytes(form["client_data"]), let attestation = Self.bytes(form["attestation"])
        else {
            draft.refusal = .malformed
            return visit.show(try passkeyPage(visit, draft: draft), .unprocessableContent)
        }
        do {
            try passkeys.add(
                name: draft.name, clientData: clientData, attestation: attestation, tokenID: session.token.id,
                at: party, by: try visit.actor())
            return ConsoleResponse.seeOther("\(Self.passkeyPath)?notice=added")
        } catch let refusal as PasskeyRefusal {
            draft.refusal = refusal
            return visit.show(try passkeyPage(visit, draft: draft), .unprocessableContent)
        } catch let error where Self.refusal(error) != nil {
            return try refusedName(error, draft, visit)
        }
    }

    private static func bytes(_ text: String?) -> [UInt8]? {
        guard let text, !text.isEmpty else { return nil }
        return Base64URL.bytes(of: text)
    }

    // MARK: Sign-in

    private func signInByPasskey(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let next = form["next"].flatMap(gate.places.next)
        do {
            guard let party = gate.origin.relyingParty(visit.request) else { throw PasskeyRefusal.relyingParty }
            guard let credentialID = Self.bytes(form["credential"]), let clientData = Self.bytes(form["client_data"]),
                let data = Self.bytes(form["authenticator_data"]), let signature = Self.bytes(form["signature"]),
                let userHandle = Self.bytes(form["user_handle"])
            else { throw PasskeyRefusal.malformed }
            let assertion = PasskeyAssertion(
                credentialID: credentialID, clientData: clientData, authenticatorData: data, signature: signature,
                userHandle: userHandle)
            let secret = try passkeys.signIn(
                assertion, at: party, browser: visit.request.head.value(of: .userAgent), replacing: visit.replaceable,
                requestID: visit.request.id)
            return ConsoleResponse.seeOther(next ?? "/console", cookies: visit.beginning(secret))
        } catch let refusal as PasskeyRefusal {
            let seconds = gate.countFailure(of: visit.request, refusal.rawValue)
            let notice: SignInPage.Notice = seconds.map { .tooManyFailures(seconds: $0) } ?? .passkeyWrong
            let form = signInForm(visit, notice, next: next)
            guard let seconds else { return ConsoleResponse.page(form, .unprocessableContent) }
            return ConsoleResponse.tooMany(form, seconds: seconds)
        }
    }
}
