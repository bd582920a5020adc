/// The rules between settings.
extension Settings {
    /// Missing settings that others need, and ports that are used twice. A missing setting is spelled as in the source
    /// of the setting that needs it.
    func contradictions() -> [SettingsError.Fault] { missingSettings() + sharedPorts() }

    private func missingSettings() -> [SettingsError.Fault] {
        let list = Self.list
        let needs: [(missing: any DeclaredSetting, given: any DeclaredSetting)] = [
            (list.tlsCertificate, list.tlsKey), (list.tlsKey, list.tlsCertificate),
            (list.alertsEmailFrom, list.alertsSMTPURL), (list.alertsEmailTo, list.alertsSMTPURL),
            (list.alertsWebhookSecret, list.alertsWebhookURLs),
            (list.oidcClientID, list.oidcIssuer), (list.oidcRoles, list.oidcIssuer), (list.publicURL, list.oidcIssuer),
        ]
        var faults = needs.filter { isSet($0.given) && !isSet($0.missing) }.map {
            fault($0.missing, as: $0.given, "is needed, because \($0.given.key) is set")
        }
        let mode = self[\.ingestSignatures]
        if mode != .off, !isSet(list.ingestSigningKeys) {
            faults.append(
                fault(
                    list.ingestSigningKeys, as: list.ingestSignatures,
                    "is needed, because \(list.ingestSignatures.key) is \(mode.rawValue)"))
        }
        if let standby = self[\.databaseReadURL],
            [standby, self[\.databaseURL]].contains(where: { $0.location != .postgres })
        {
            faults.append(fault(list.databaseReadURL, "needs a standby of a PostgreSQL database in database_url"))
        }
        if self[\.httpRedirectPort] != 0, !isSet(list.tlsCertificate), !isSet(list.tlsKey) {
            faults.append(fault(list.httpRedirectPort, "needs tls_certificate and tls_key"))
        }
        if self[\.httpRedirectPort] != 0, listensOnUnixSocket {
            faults.append(fault(list.httpRedirectPort, "needs an address in host"))
        }
        return faults
    }

    /// Ports that the system chooses (0) are never shared.
    private func sharedPorts() -> [SettingsError.Fault] {
        let list = Self.list
        var taken: [(port: Int, setting: any DeclaredSetting)] = [(self[\.port], list.port)]
        var faults: [SettingsError.Fault] = []
        for (port, setting) in [
            (self[\.httpRedirectPort], list.httpRedirectPort), (self[\.metricsPort], list.metricsPort),
        ] where port != 0 {
            if let other = taken.first(where: { $0.port == port }) {
                faults.append(fault(setting, "must be another port than \(other.setting.key)"))
            }
            taken.append((port, setting))
        }
        return faults
    }

    private func isSet(_ setting: any DeclaredSetting) -> Bool { entry(setting)?.text.isEmpty == false }

    private func fault(
        _ setting: any DeclaredSetting, as other: (any DeclaredSetting)? = nil, _ detail: String
    ) -> SettingsError.Fault {
        (entry(other ?? setting)?.origin ?? .standard).fault(setting, detail)
    }
}
