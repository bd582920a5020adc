import JSONWire
import SubGuardContract
import SubGuardDomain
import Testing

/// Reading by a device, whose server may be newer, and reading by a server.
@Suite struct AccountContractTests {
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
                == ["#/x unknown_field", "#/identity_token required", "#/nonce required"])
        #expect(try faults(#"{"user_id":"ABC"}"#) { _ = try AnalyticsErasure($0) } == ["#/user_id invalid_user_id"])
    }

    @Test func ignoresWhatANewerServerAdds() throws {
        let text = #"{"access_token":"a","refresh_token":"b","expires_in":1,"token_type":"Bearer","scope":"all"}"#
        func tokens(_ text: String) throws -> [String] {
            try faults(text) { _ = try SessionTokens($0, unknown: .ignored) }
        }
        #expect(try tokens(text) == [])
        #expect(try tokens(text.replacing("Bearer", with: "mac")) == ["#/token_type unknown_value"])
        #expect(try tokens(text.replacing(":1", with: ":-1")) == ["#/expires_in out_of_range"])
        func premium(_ text: String) throws -> [String] {
            try faults(text) { _ = try Premium($0, unknown: .ignored) }
        }
        let id = #""app_account_token":"01934f0e-7c2a-7d3e-9b1a-5c6d7e8f9a0b""#
        #expect(try premium(#"{"status":"active","product_id":null,"expires_at":null,"tier":2,\#(id)}"#) == [])
        #expect(
            try premium(#"{"status":"golden","product_id":7,"expires_at":"soon","app_account_token":"x"}"#) == [
                "#/status unknown_value", "#/product_id invalid_type", "#/expires_at invalid_timestamp",
                "#/app_account_token invalid_id",
            ])
    }

    @Test func takesRejectionsThatOnlyANewerServerKnows() throws {
        let text = #"""
            {"accepted":1,"duplicates":2,"rejected":[{"index":0,"code":"too_blue","detail":"x"}],"rejected_omitted":4}
            """#
        let object = try #require(try JSONValue.parse(Array(text.utf8)).objectValue)
        let receipt = try EventReceipt(object, unknown: .ignored)
        #expect(receipt.rejected.map(\.code) == ["too_blue"])
        #expect(receipt.count == 8)
        #expect(String(decoding: receipt.json(), as: UTF8.self) == text)
    }
}
