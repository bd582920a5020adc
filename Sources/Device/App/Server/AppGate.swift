import Foundation
import HTML
import HTTPServer
import HTTPWire
import Pages
import SubGuardDomain
import SubGuardEngine

/// Makes routes that only browsers with a session reach.
struct AppGate: Sendable {
    let context: AppContext

    /// A page.
    func page(_ pattern: String, _ handler: @escaping @Sendable (AppVisit) throws -> [UInt8]) -> Route {
        answer(pattern) { AppResponse.page(try handler($0)) }
    }

    /// A file, or a page with a status of its own.
    func answer(_ pattern: String, _ handler: @escaping @Sendable (AppVisit) throws -> Response) -> Route {
        Route(.get, pattern, .blocking { try handler(try visit($0)) })
    }

    /// How much longer a body may be than its file, in bytes. A browser that sends a file that is a little too long
    /// then gets a page that says so; of one far too long, the connection is closed.
    private static let excessBytes = 8 << 20

    /// A form with files, multipart.
    func files(
        _ pattern: String, maximumBytes: Int,
        _ handler: @escaping @Sendable (AppVisit, MultipartForm) throws -> Response
    ) -> Route {
        var limits = FormLimits()
        limits.fileBytes = maximumBytes
        let bounds = limits
        return Route(
            .post, pattern, maximumBodyBytes: maximumBytes + Self.excessBytes,
            // Before a long body is read.
            admission: { request in _ = try visit(request) },
            .blocking { request in
                let visit = try visit(request)
                guard let type = request.head.value(of: .contentType),
                    let boundary = MultipartForm.boundary(inMediaType: type)
                else { throw AppRefusal.unreadable("The Content-Type must be multipart/form-data with a boundary.") }
                let form: MultipartForm
                do throws(FormError) {
                    form = try MultipartForm(request.body, boundary: boundary, limits: bounds)
                } catch {
                    if case .tooLarge = error, request.body.count > maximumBytes {
                        throw AppRefusal.tooLarge(maximumBytes)
                    }
                    throw AppRefusal.unreadable("\(error)")
                }
                return try handler(visit, form)
            })
    }

    func visit(_ request: Request) throws -> AppVisit {
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
        do throws(SubmittedForm.Refusal) {
            return try SubmittedForm.read(request)
        } catch {
            switch error {
            case .mediaType: throw .unreadable("The Content-Type must be application/x-www-form-urlencoded.")
            case .compressed: throw .unreadable("A form must not be compressed.")
            case .malformed(let error): throw .unreadable("\(error)")
            }
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
    let look: AppLook
    /// The revision of the store before anything was read for the page.
    let revision: Int64
    /// The form that the page shows again; see ``AppVisit/sent(to:)``.
    var sent: SentForm?

    /// - Parameter isFailure: for the page of an error, which an unreadable query may be.
    init(_ request: Request, _ context: AppContext, session: BrowserSession?, isFailure: Bool = false) throws {
        self.request = request
        self.context = context
        self.session = session
        look = AppLook(request, context.origin)
        moment = context.moment()
        revision = try context.store.revision()
        let preferred = AcceptedLanguage.preferred(
            request.head.value(of: .acceptLanguage), of: DisplayLanguage.allCases.map(\.rawValue))
        words =
            try context.store.settings.language()
            ?? (context.followsBrowser ? preferred.flatMap(DisplayLanguage.init(rawValue:)) : nil) ?? context.language
        query = isFailure ? [] : try request.queryItems().items.map { ($0.name, $0.value) }
    }

    var store: DeviceStore { context.store }
    /// Whether the page shows a form that came without a session.
    var isRefill: Bool { sent.map { $0.error == nil } ?? false }
    /// What a page shows for a decision.
    var shown: ShownState { ShownState(revision: revision, at: moment.now) }

    /// What `read` gives, or gave before when nothing has changed since. See ``AnswerCache``.
    ///
    /// - Parameter question: nil for an answer that is not kept.
    func answer<Answer: Sendable>(_ question: String?, _ read: () throws -> Answer) rethrows -> Answer {
        guard let question else { return try read() }
        return try context.answers.answer(question, at: revision, moment.today, read)
    }

    /// The id in the path.
    func id() throws -> UUID { try request.parameters.uuid() }

    /// The value of a query parameter; nil for none and for an empty one.
    func parameter(_ name: String) -> String? {
        query.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}
