import Backend
import Outbound
import SubGuardDomain

extension SettingsSources {
    /// What is missing beside a channel that is configured.
    func faultsOfAlerts(in entries: [Settings.Entry]) -> [SettingsError.Fault] {
        func isSet(_ setting: Setting) -> Bool {
            entries.contains { $0.setting.key == setting.key && !$0.value.isEmpty }
        }
        func spelling(_ setting: Setting, as other: Setting) -> String {
            let origin = entries.first { $0.setting.key == other.key }?.origin
            return sources.first { $0.name == origin }?.spelling(setting) ?? setting.key
        }
        let needs: [(missing: Setting, given: Setting)] = [
            (.alertsEmailFrom, .alertsSMTPURL), (.alertsEmailTo, .alertsSMTPURL),
            (.alertsWebhookSecret, .alertsWebhookURL),
        ]
        return needs.filter { isSet($0.given) && !isSet($0.missing) }.map { missing, given in
            SettingsError.Fault(key: spelling(missing, as: given), detail: "is needed, because \(given.key) is set")
        }
    }
}

extension OutboundLimits {
    init(_ settings: Settings) {
        self.init()
        let file = settings.text(.alertsCAFile)
        certificateAuthorities = file.isEmpty ? nil : file
    }
}

extension TargetPolicy {
    init(_ settings: Settings) {
        self.init(
            allowsOwnNetworks: settings.boolean(.alertsAllowPrivateTargets),
            permittedHosts: Set(settings.list(.alertsPermittedHosts)))
    }
}
