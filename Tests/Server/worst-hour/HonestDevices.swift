import EventLog
import Foundation

/// Devices with their own addresses, which send a few events during the attack.
struct HonestDevices {
    struct Outcome {
        let sent: Int
        let accepted: Int
        let users: Int
        let counted: Int
    }

    private var users = 0
    private var sent = 0
    private var accepted = 0
    private static let prefix = "f0f0"
    private static let eventsOfADevice = 5

    /// A new device reports its first events.
    mutating func report(to server: AttackedServer) throws {
        users += 1
        let user = TrafficText.user(UInt64(users), prefix: Self.prefix)
        let events = (0..<Self.eventsOfADevice).map { number in
            let name = number == 0 ? "app_downloaded" : "app_opened"
            return #"""
                {"id":"\#(UUID().uuidString.lowercased())","name":"\#(name)","user_id":"\#(user)",\#
                "timestamp":"\#(server.now)","properties":{"platform":"ios","locale":"fr-FR"}}
                """#
        }
        sent += events.count
        let address = "198.51.\(users / 250).\(users % 250 + 1)"
        if try server.post("/api/v1/analytics", "[" + events.joined(separator: ",") + "]", from: address) == 202 {
            accepted += events.count
        }
    }

    func outcome(of server: AttackedServer) throws -> Outcome {
        _ = try server.size()
        let counted = try server.users { $0.bytes.starts(with: [0xF0, 0xF0]) }
        return Outcome(sent: sent, accepted: accepted, users: users, counted: counted)
    }
}
