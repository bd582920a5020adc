extension SettingsSources {
    /// What is wrong with the settings of the listener for metrics. Its port must be its own, unless the system chooses it.
    func faultsOfMetrics(in entries: [Settings.Entry]) -> [SettingsError.Fault] {
        func value(_ setting: Setting) -> String? { entries.first { $0.setting.key == setting.key }?.value }
        guard let port = value(.metricsPort), port != "0" else { return [] }
        let others = [Setting.port, .httpRedirectPort].filter { value($0) == port }
        guard let other = others.first else { return [] }
        let origin = entries.first { $0.setting.key == Setting.metricsPort.key }?.origin
        let spelling = sources.first { $0.name == origin }?.spelling(.metricsPort) ?? Setting.metricsPort.key
        return [SettingsError.Fault(key: spelling, detail: "must be another port than \(other.key)")]
    }
}
