import Backend
import HTML
import SubGuardDomain

extension ConsoleWords {
    func name(_ filter: TokensPage.Filter) -> String {
        switch filter {
        case .valid: self["Valid"]
        case .expired: self["Expired"]
        case .revoked: self["Revoked", of: "tokens"]
        case .all: self["All"]
        }
    }

    /// The state of a token as a word; a colour alone would say nothing to some.
    func write(_ status: AccessToken.Status, to html: inout HTMLWriter) {
        switch status {
        case .valid: html.rating(self["valid"], isGood: true)
        case .expired: html.rating(self["expired"])
        case .revoked: html.rating(self["revoked"], isGood: false)
        }
    }
}

extension AccessToken {
    var link: HTMLLink { HTMLLink("console", "access", "tokens", id.lowercased) }
}
