package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Repeats a call that the server has no time for now, after as long as the server asks for.
package struct PatientWaiting: Sendable {
    /// A minute's quota is full again after a minute at most.
    private static let maximumTries = 20
    private static let maximumSeconds = 120

    private let sleep: @Sendable (_ seconds: Int) async throws -> Void

    /// `sleep` is told how long the server wants to be left alone.
    package init(sleep: @escaping @Sendable (_ seconds: Int) async throws -> Void) {
        self.sleep = sleep
    }

    /// The first answer that is neither 429 nor 503.
    package func whileBusy(
        call: String, _ exchange: () async throws -> (Data, HTTPURLResponse)
    ) async throws -> (Data, HTTPURLResponse) {
        var tries = 1
        while true {
            let (data, response) = try await exchange()
            guard [429, 503].contains(response.statusCode) else { return (data, response) }
            guard tries < Self.maximumTries else {
                throw DemoError.stillBusy(call: call, status: response.statusCode, tries: tries)
            }
            try await sleep(Self.seconds(retryAfter: response.value(forHTTPHeaderField: "Retry-After")))
            tries += 1
        }
    }

    /// The seconds form of `Retry-After` (RFC 9110 section 10.2.3), within bounds; 1 for anything else.
    private static func seconds(retryAfter value: String?) -> Int {
        min(max(value.flatMap { Int($0) } ?? 1, 1), maximumSeconds)
    }
}
