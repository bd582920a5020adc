import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import PageAssets
import Pages
import SubGuardDomain
import SubGuardEngine

/// Letting a browser in, and the files of pages.
enum LaunchPages {
    static let link = HTMLLink("launch")

    static func routes(_ gate: AppGate) -> [Route] {
        let assets = AppAsset.all.map { asset in
            Route(.get, "/assets/\(asset.name)", .immediate { _ in AppResponse.asset(asset) })
        }
        return assets + [
            // For another run of the program, which finds out whether the port is served with the same store.
            Route(.get, AppServer.helloPath, .blocking { try hello($0, gate) }),
            // No session yet: the code is what lets in.
            Route(
                .get, "/launch",
                .blocking { request in
                    AppResponse.entrance(LockedPage.page(try AppVisit(request, gate.context, session: nil)))
                }),
            Route(.post, "/launch", .blocking { try launch($0, gate) }),
            // For pages that are open: whether they would be answered.
            Route(
                .get, "/session",
                .blocking { request in
                    AppResponse.text(try gate.session(of: request) == nil ? "locked" : "open", .ok)
                }),
            gate.answer("/live") { visit in
                AppResponse.events(visit.context.live.page(showing: visit.parameter("since").flatMap { Int64($0) }))
            },
        ]
    }

    private static func hello(_ request: Request, _ gate: AppGate) throws -> Response {
        let question = try request.queryItems().items.first { $0.name == "question" }?.value ?? ""
        let moment = gate.context.moment()
        guard let port = gate.context.origin?.port,
            let proof = try gate.context.store.browsers.proof(answering: question, port: port, at: moment)
        else { return AppResponse.text("This is not a question of a program that reads the database.", .notFound) }
        return AppResponse.text(proof, .ok)
    }

    private static func launch(_ request: Request, _ gate: AppGate) throws -> Response {
        guard let origin = gate.context.origin else { throw AppRefusal.locked }
        let form = try AppGate.form(request)
        // The whole address may have been pasted.
        let text = form["code"] ?? ""
        let code = (text.split(separator: "#").last.map(String.init) ?? text).filter { !$0.isWhitespace }.lowercased()
        let visit = try AppVisit(request, gate.context, session: nil)
        let isRemembered = form["remember"] == "on"
        let kept = KeptForm(with: form)
        guard code.utf8.count == 32,
            let secret = try gate.context.store.browsers.begin(
                code: code, browser: request.head.value(of: .userAgent) ?? "", isRemembered: isRemembered,
                at: visit.moment)
        else { return AppResponse.page(LockedPage.page(visit, isWrong: true, kept: kept), .unprocessableContent) }
        let cookies = [origin.cookie(secret, isRemembered: isRemembered)]
        if let kept { return AppResponse.sendAgain(kept.place.text, cookies: cookies) }
        return AppResponse.seeOther(try WelcomePages.start(visit).text, cookies: cookies)
    }
}

/// Asks for the code that the program has printed. With JavaScript, it is taken from the address.
enum LockedPage {
    /// - Parameter kept: a form that was refused for want of a session.
    static func page(_ visit: AppVisit, isWrong: Bool = false, kept: KeptForm? = nil) -> [UInt8] {
        visit.card(title: visit.text("Open the app")) { html in
            if isWrong {
                html.refusal(
                    visit.text("This code is unknown, used or expired. Each one lets in once, within a minute."))
            }
            if kept != nil {
                html.notice(.warning) { html in
                    html.paragraph(visit.text("Nothing was saved, because the session of this browser has ended."))
                    html.paragraph(
                        visit.text("What you typed is kept: once the app is open, check it and send it again.")
                    )
                }
            }
            html.add(.p, .class("lead")) { html in
                html.text(visit.text("This page is for you alone. In a terminal, run") + " ")
                html.add(.code, text: "subguard open")
                html.text(" " + visit.text("and paste the address that it prints."))
            }
            html.post(LaunchPages.link, "stack", .data("launch")) { html in
                kept?.write(visit, to: &html)
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("code"), text: visit.text("Address or code"))
                    html.add(
                        .input, .type("text"), .id("code"), .name("code"), .autocomplete("off"), .spellcheck(false),
                        .maxLength(200), .required)
                }
                html.add(.label, .class("choice")) { html in
                    html.add(.input, .type("checkbox"), .name("remember"))
                    html.text(visit.text("Remember this browser for 30 days"))
                }
                html.submit(visit.text("Open"), "primary")
            }
            if let kept {
                html.post(kept.place, "stack after") { html in
                    kept.write(visit, to: &html)
                    html.submit(visit.text("It is already open in another tab"))
                }
            }
        }
    }
}

/// A form that came without a session, so that nothing typed is lost. Its fields stand in the page that asks for the
/// code, and come back in the form that they were typed in, to be checked and sent again: never as a change.
///
/// Only a request that has passed ``AppOrigin`` gets here, so no page of another site can plant values.
struct KeptForm: Sendable {
    /// Where it was sent.
    let place: HTMLLink
    let fields: FormFields

    private static let placeName = "kept-for"
    /// Begins the names of its fields.
    private static let prefix = "kept:"
    /// Of a body, so that it is accepted once more with the longer names.
    private static let maximumBytes = 48_000
    /// Passphrases are typed again.
    private static let secrets = ["passphrase", "code", "remember"]

    private init?(_ place: String?, _ fields: [FormFields.Field]) {
        guard let place, let link = HTMLLink(checking: place), place.hasPrefix("/"), place != LaunchPages.link.text,
            !place.contains(where: { $0 == "?" || $0 == "#" }), !fields.isEmpty
        else { return nil }
        self.place = link
        self.fields = FormFields(fields)
    }

    /// The form of a request that is refused for want of a session. Nil for one that is too long, has files, or has no
    /// fields.
    init?(refused request: Request) {
        guard request.method == .post, (1...Self.maximumBytes).contains(request.body.count),
            let form = try? SubmittedForm.read(request)
        else { return nil }
        if Self.isKept(form) {
            self.init(returning: form, at: request.path)
        } else {
            self.init(request.path, form.fields.filter { !Self.secrets.contains($0.name) })
        }
    }

    /// The form that came with a code.
    init?(with code: FormFields) { self.init(code[Self.placeName], Self.kept(code)) }

    /// A form that has come back to its own address.
    init?(returning form: FormFields, at path: String) {
        guard Self.isKept(form) else { return nil }
        self.init(path, Self.kept(form))
    }

    /// Whether a form is to be shown again, and not to be carried out.
    static func isKept(_ form: FormFields) -> Bool { form[placeName] != nil }

    private static func kept(_ form: FormFields) -> [FormFields.Field] {
        form.fields.filter { $0.name.hasPrefix(prefix) }
            .map { FormFields.Field(name: String($0.name.dropFirst(prefix.count)), value: $0.value) }
    }

    /// Writes it as hidden fields.
    func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.hidden(Self.placeName, place.text)
        for field in fields.fields { html.hidden(Self.prefix + field.name, field.value) }
    }
}
