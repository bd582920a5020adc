import ServerAccess
import SubGuardContract
import SubGuardDomain
import Testing

struct RoleTests {
    @Test func grantsExactlyWhatTheContractSays() {
        let names = Dictionary(
            uniqueKeysWithValues: Role.builtIn.map { ($0.name, Set($0.permissions.map(\.rawValue))) })
        #expect(
            names == [
                "owner": [
                    "catalogue.read", "catalogue.write", "suggestions.moderate", "metrics.read", "alerts.read",
                    "alerts.write", "audit.read", "accounts.manage", "access.manage", "crashes.write", "events.export",
                ],
                "editor": ["catalogue.read", "catalogue.write", "suggestions.moderate"],
                "moderator": ["suggestions.moderate", "catalogue.read"],
                "analyst": ["metrics.read", "alerts.read"],
            ])
    }
}
