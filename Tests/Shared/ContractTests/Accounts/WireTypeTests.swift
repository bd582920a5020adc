import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import Testing

/// Types written by one side and read by the other.
@Suite struct WireTypeTests {
    private func object(_ write: (inout JSONWriter) -> Void) throws -> JSONObject {
        var writer = JSONWriter()
        write(&writer)
        return try #require(try JSONValue.parse(writer.bytes).objectValue)
    }

    @Test func comesBackAsItWas() throws {
        let signIn = AppleSignIn(identityToken: "a.b.c", nonce: "“n” é 🦊\n")
        let signInText = try object { signIn.write(to: &$0) }
        #expect(try AppleSignIn(signInText) == signIn)
        let tokens = SessionTokens(accessToken: "sga_x", refreshToken: "sgr_y", expiresIn: 3600)
        let tokensText = try object { tokens.write(to: &$0) }
        #expect(try SessionTokens(tokensText) == tokens)
        let refresh = SessionRefresh(refreshToken: "sgr_y")
        let refreshText = try object { refresh.write(to: &$0) }
        #expect(try SessionRefresh(refreshText) == refresh)
        let erasure = AnalyticsErasure(userID: String(repeating: "0a", count: 32))
        let erasureText = try object { erasure.write(to: &$0) }
        #expect(try AnalyticsErasure(erasureText) == erasure)
        let proof = TransactionProof(signedTransaction: "a.b.c")
        let proofText = try object { proof.write(to: &$0) }
        #expect(try TransactionProof(proofText) == proof)
        let store = AppStoreNotification(signedPayload: "a.b.c")
        let storeText = try object { store.write(to: &$0) }
        #expect(try AppStoreNotification(storeText) == store)
        let apple = AppleAccountNotification(payload: "a.b.c")
        let appleText = try object { apple.write(to: &$0) }
        #expect(try AppleAccountNotification(appleText) == apple)
    }

    @Test(arguments: PurchaseStatus.allCases) func tellsEachStatus(_ status: PurchaseStatus) throws {
        let lasting = PremiumAnswer(status: status, productID: nil, expiresAt: nil)
        let lastingText = try object { lasting.write(to: &$0) }
        #expect(try PremiumAnswer(lastingText) == lasting)
        let ending = PremiumAnswer(
            status: status, productID: "premium.yearly", expiresAt: UTCInstant(rfc3339: "2028-02-29T23:59:59Z"),
            appAccountToken: UUID())
        let endingText = try object { ending.write(to: &$0) }
        #expect(try PremiumAnswer(endingText) == ending)
    }

    private func faults(_ text: String, _ read: (JSONObject) throws -> Void) throws -> [String] {
        let object = try #require(try JSONValue.parse(Array(text.utf8)).objectValue)
        do {
            try read(object)
            return []
        } catch let error as FaultList {
            return error.map { "\($0.pointer) \($0.code.rawValue)" }
        }
    }

    @Test func notesEveryFaultOfARequest() throws {
        #expect(
            try faults(#"{"nonce":"","x":1}"#) { _ = try AppleSignIn($0) }
                == ["#/x unknown_field", "#/identity_token required", "#/nonce out_of_range"])
        #expect(try faults(#"{"user_id":"ABC"}"#) { _ = try AnalyticsErasure($0) } == ["#/user_id invalid_user_id"])
        #expect(
            try faults(#"{"signedPayload":[]}"#) { _ = try AppStoreNotification($0) } == [
                "#/signedPayload invalid_type"
            ])
    }

    @Test func passesOverWhatANewerServerAnswers() throws {
        let text = #"{"access_token":"a","refresh_token":"b","expires_in":1,"token_type":"bearer","scope":"all"}"#
        #expect(try faults(text) { _ = try SessionTokens($0) } == [])
        #expect(
            try faults(text.replacing("bearer", with: "mac")) { _ = try SessionTokens($0) } == [
                "#/token_type unknown_value"
            ])
        #expect(
            try faults(text.replacing(":1", with: ":-1")) { _ = try SessionTokens($0) } == ["#/expires_in out_of_range"]
        )
        #expect(
            try faults(#"{"status":"active","product_id":null,"expires_at":null,"tier":2}"#) {
                _ = try PremiumAnswer($0)
            }
                == [])
        #expect(
            try faults(#"{"status":"golden","product_id":7,"expires_at":"soon","app_account_token":"x"}"#) {
                _ = try PremiumAnswer($0)
            } == [
                "#/status unknown_value", "#/product_id invalid_type", "#/expires_at invalid_timestamp",
                "#/app_account_token invalid_id",
            ])
    }
}
