import HTML
import SubGuardContract
package import SubGuardDomain

/// The page of an error.
package struct ErrorPage: ConsolePage {
    private let code: ProblemCode
    private let faults: [Fault]
    /// The sentence of the API's problem, in English.
    private let sentence: Sentence
    private let requestID: String
    private let isConsole: Bool

    /// - Parameter isConsole: whether it is a page of the console, to which it leads back.
    package init(
        _ code: ProblemCode, faults: [Fault] = [], detail sentence: Sentence, requestID: String, isConsole: Bool
    ) {
        self.code = code
        self.faults = faults
        self.sentence = sentence
        self.requestID = requestID
        self.isConsole = isConsole
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.card(title: words[heading]) { html in
            if code == .requestRunning {
                html.add(
                    .p, .class("lead"),
                    text: words[
                        "The form was sent twice, and the first one is being carried out. Wait some seconds, "
                            + "then reload this page: it shows the result, and nothing is done twice."])
            } else {
                addLead(to: &html, words)
            }
            html.add(.p) { html in
                html.link(
                    words[isConsole ? "Back to the overview" : "To the start page"],
                    isConsole ? ConsoleSection.overview.link : HTMLLink())
            }
            html.hint(words.text("Request id: %1", requestID))
        }
    }

    /// The faults, or what happened.
    private func addLead(to html: inout HTMLWriter, _ words: ConsoleWords) {
        if faults.isEmpty {
            html.add(.p, .class("lead"), text: words.sentence(.problem(sentence, code)))
        }
        for fault in faults {
            let text = words.plain(fault)
            html.add(.p, .class("lead")) { html in
                html.add(.code, text: fault.pointer)
                html.text(words.colon)
                html.add(.span, text: text)
            }
        }
        if code == .crossSite {
            html.paragraph(words["Nothing was changed. Open the console itself and repeat it there."])
        }
    }

    private var heading: Sentence {
        switch code {
        case .crossSite: return "The request came from another page"
        case .requestRunning: return "Your first request is still running"
        default: break
        }
        return switch code.status {
        case 401, 403: "Your role may not do this"
        case 404: "Not found"
        case 405: "This address does not accept this method"
        case 429: "Too many requests"
        case 503: "The server is busy"
        case 500...: "Something went wrong"
        default: "The request was not accepted"
        }
    }
}
