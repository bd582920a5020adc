import Foundation
import HTML
import HTTPServer
import HTTPWire
import SubGuardDomain
import SubGuardEngine

/// Makes routes that only browsers with a session reach.
struct AppGate: Sendable {
    let context: AppContext

    /// A page.
    func page(_ pattern: String, _ handler: @escaping @Sendable (AppVisit) throws -> Response) -> Route {
        Route(.get, pattern, .blocking { try handler(try visit($0)) })
    }

    /// A form, urlencoded.
    func form(
        _ pattern: String, _ handler: @escaping @Sendable (AppVisit, FormFields) throws -> Response
    ) -> Route {
        Route(
            .post, pattern,
            .blocking { request in
                let visit = try visit(request)
                let response = try handler(visit, try Self.form(request))
                // The weekly backup, as after a command. What fails is tried again with the next change.
                _ = try? context.store.backups.makeIfDue(at: visit.moment)
                return response
            })
    }

    private func visit(_ request: Request) throws -> AppVisit {
        guard let session = try session(of: request) else { throw AppRefusal.locked }
        return try AppVisit(request, context, session: session)
    }

    /// The session of the request's cookie.
    func session(of request: Request) throws -> BrowserSession? {
        guard let origin = context.origin else { return nil }
        let moment = context.moment()
        for secret in origin.secrets(request) {
            if let session = try context.store.browsers.session(secret, at: moment) { return session }
        }
        return nil
    }

    static func form(_ request: Request) throws(AppRefusal) -> FormFields {
        let type = request.head.value(of: .contentType)?.split(separator: ";").first.map { $0.filter { $0 != " " } }
        guard type?.lowercased() == "application/x-www-form-urlencoded" || request.body.isEmpty else {
            throw .unreadable("The Content-Type must be application/x-www-form-urlencoded.")
        }
        do throws(FormError) {
            return try FormFields(urlencoded: request.body)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}

/// One request: the store at a moment, and the language of the page.
struct AppVisit: Sendable {
    let request: Request
    let context: AppContext
    let moment: Moment
    let words: DisplayLanguage
    /// Nil on the page that asks for a code.
    let session: BrowserSession?
    let query: [(name: String, value: String)]
    /// The revision of the store before anything was read for the page.
    let revision: Int64

    init(_ request: Request, _ context: AppContext, session: BrowserSession?) throws {
        self.request = request
        self.context = context
        self.session = session
        moment = context.moment()
        revision = try context.store.revision()
        words = try context.store.settings.language() ?? context.language
        query = try request.queryItems().items.map { ($0.name, $0.value) }
    }

    var store: DeviceStore { context.store }

    /// The value of a query parameter; nil for none and for an empty one.
    func parameter(_ name: String) -> String? {
        query.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}
