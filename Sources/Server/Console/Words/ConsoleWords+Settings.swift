import SubGuardDomain

extension ConsoleWords {
    func text(_ origin: ConfigurationPage.Origin) -> String {
        switch origin {
        case .flag: self["flag"]
        case .environment: self["environment"]
        case .file(let path): text("file %1", path)
        case .standard: self["default"]
        }
    }
}
