import HTTPServer

extension Settings {
    /// Whether the port speaks TLS.
    package var usesTLS: Bool { !text(.tlsCertificate).isEmpty }

    /// `nil` when the port speaks plain HTTP.
    var tls: TLSConfiguration? {
        guard usesTLS else { return nil }
        var configuration = TLSConfiguration(certificatePath: text(.tlsCertificate), keyPath: text(.tlsKey))
        configuration.strictTransportSeconds = integer(.hstsMaxAge)
        return configuration
    }
}

extension SettingsSources {
    /// What is wrong with the settings about TLS as a whole. A fault names the setting that is missing as the source of
    /// the one that is there would spell it.
    func faultsOfTLS(in entries: [Settings.Entry]) -> [SettingsError.Fault] {
        func entry(_ setting: Setting) -> Settings.Entry? { entries.first { $0.setting.key == setting.key } }
        func isSet(_ setting: Setting) -> Bool { entry(setting).map { !["", "0"].contains($0.value) } ?? false }
        func spelling(_ setting: Setting, as other: Setting) -> String {
            sources.first { $0.name == entry(other)?.origin }?.spelling(setting) ?? setting.key
        }
        var faults: [SettingsError.Fault] = []
        for (missing, given) in [(Setting.tlsCertificate, Setting.tlsKey), (.tlsKey, .tlsCertificate)]
        where isSet(given) && !isSet(missing) {
            faults.append(
                SettingsError.Fault(
                    key: spelling(missing, as: given), detail: "is needed, because \(given.key) is set"))
        }
        guard isSet(.httpRedirectPort) else { return faults }
        let redirect = spelling(.httpRedirectPort, as: .httpRedirectPort)
        if !isSet(.tlsCertificate), !isSet(.tlsKey) {
            faults.append(SettingsError.Fault(key: redirect, detail: "needs tls_certificate and tls_key"))
        }
        if entry(.httpRedirectPort)?.value == entry(.port)?.value {
            faults.append(SettingsError.Fault(key: redirect, detail: "must be another port than the one with TLS"))
        }
        return faults
    }
}
