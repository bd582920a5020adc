import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import Pages
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TextCoding

/// A request to the console with what every page needs: language, cookies, query, session.
struct ConsoleVisit: Sendable {
    struct Session: Sendable {
        let stored: ConsoleSession
        let secret: String
        let token: AccessToken

        var id: UUID { stored.id }
    }

    let request: Request
    let cookies: ConsoleCookies
    /// The secrets in the cookie, whether they are valid or not.
    let secrets: Set<String>
    let words: ConsoleWords
    /// The code of the sentence about what was just done, with a value after a full stop: `saved`, `deleted.ID`.
    let notice: (code: String, value: String?)?
    /// The parameters without `lang`, `notice` and without empty ones, which forms send for empty fields.
    var query: [NamedValue]
    /// Path and query, without `lang`.
    let target: String
    /// If the query chooses a language: the redirect that stores the choice.
    let languageRedirect: Response?
    private(set) var session: Session?
    private var waiting: WaitingCounts?
    /// The claim under which a form is carried out once.
    var claim: IdempotencyStore.Claim?
    /// The fields of a form with files, checked when it is read.
    var shape: FormShape?
    /// Why parameters of the query were left out that have a field on the page.
    private(set) var queryFaults = FormFaults()
    /// The parameters that were left out.
    private var refused: [NamedValue] = []
    /// The decoded segments of the path.
    let path: [String]

    /// Throws 400 for a query that is not percent-encoded UTF-8.
    init(_ request: Request, cookies: ConsoleCookies) throws(HTTPFailure) {
        let items: [QueryItems.Item]
        do throws(WireError) { items = try request.queryItems().items } catch { throw HTTPFailure(error) }
        self.request = request
        self.cookies = cookies
        secrets = cookies.sessions(request.head)
        notice = items.last { $0.name == "notice" }.map { item in
            let parts = item.value.split(separator: ".", maxSplits: 1).map(String.init)
            return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
        }
        query = items.filter { !["lang", "notice"].contains($0.name) && !$0.value.isEmpty }.map { ($0.name, $0.value) }
        path = request.path.split(separator: "/").map { PercentCoding.decode($0.utf8) ?? String($0) }
        target = HTMLLink(path: path, query: query).text
        let chosen = items.last { $0.name == "lang" }.flatMap { ConsoleLanguage(rawValue: $0.value) }
        words = ConsoleWords(
            chosen ?? ConsoleCookies.language(request.head)
                ?? ConsoleLanguage(acceptLanguage: request.head.value(of: .acceptLanguage)))
        languageRedirect = chosen.map { [target, cookies] in
            ConsoleResponse.seeOther(target, cookies: [cookies.choose($0)])
        }
    }

    mutating func begin(_ session: Session, waiting: WaitingCounts) {
        (self.session, self.waiting) = (session, waiting)
    }

    /// The secret whose session a sign-in replaces; nil if there are several, of which only one is this server's.
    var replaceable: String? { secrets.count == 1 ? secrets.first : nil }

    /// The cookies that the browser gets with a sign-in.
    func beginning(_ secret: String) -> [String] { [cookies.begin(secret)] + cookies.endOthers(request.head) }

    var frame: ConsoleFrame {
        ConsoleFrame(
            words: words,
            viewer: session.map {
                ConsoleViewer(
                    name: $0.token.name, role: $0.token.role.name, permissions: $0.token.role.permissions)
            }, path: path, query: query + refused, queryFaults: queryFaults, waiting: waiting?.recent ?? [:],
            noticed: notice)
    }

    /// A page as the response.
    ///
    /// - Parameter status: 422 if a part of the query was left out, and else 200, unless it says otherwise.
    func show(_ page: any ConsolePage, _ status: HTTPResponse.Status? = nil) -> Response {
        ConsoleResponse.page(page.page(frame), status ?? self.status)
    }

    private var status: HTTPResponse.Status { queryFaults.isEmpty ? .ok : .unprocessableContent }

    /// Reads the query as the API reads it. Throws 422 with all faults.
    func read<Query: WireObject>(_ type: Query.Type) throws(HTTPFailure) -> Query { try Self.read(type, query) }

    /// The same of other parameters, such as those of a list in the hidden fields of a form.
    static func read<Query: WireObject>(
        _ type: Query.Type, _ parameters: [NamedValue]
    ) throws(HTTPFailure) -> Query {
        do throws(FaultList) { return try Query(texts: parameters) } catch { throw .invalid(error) }
    }

    /// Reads the query of a page. A parameter with a fault that has a field on the page is left out, and the page shows
    /// the fault beside that field with what was typed. Throws 422 for faults of others, and for a download.
    mutating func read<Query: WireObject>(
        _ type: Query.Type, correcting fields: Set<String>
    ) throws(HTTPFailure) -> Query {
        let isDownload = query.contains { $0.name == "format" }
        var faults: [Fault] = []
        while true {
            do throws(FaultList) {
                let result = try Query(texts: query)
                queryFaults = FormFaults(faults)
                return result
            } catch {
                let names = Set(error.map(\.pointer))
                guard !isDownload, names.isSubset(of: fields), query.contains(where: { names.contains($0.name) }) else {
                    throw .invalid(error)
                }
                faults += Array(error)
                refused += query.filter { names.contains($0.name) }
                query.removeAll { names.contains($0.name) }
            }
        }
    }

    /// Leaves a parameter out, which has a field on the page.
    mutating func refuse(_ name: String, _ fault: Fault) {
        queryFaults = FormFaults(queryFaults.faults + [fault])
        refused += query.filter { $0.name == name }
        query.removeAll { $0.name == name }
    }

    /// What the page of a query shows, without the parameters that turn out to be wrong together.
    ///
    /// - Parameter isPage: false for a download, which fails.
    mutating func correct<Query: WireObject, Shown>(
        _ query: inout Query, isPage: Bool, _ shown: (Query) throws -> Shown
    ) throws -> Shown {
        while true {
            do {
                return try shown(query)
            } catch BackendError.invalid(let faults) where isPage {
                let names = self.query.map(\.name)
                guard faults.contains(where: { names.contains($0.pointer) }) else { throw BackendError.invalid(faults) }
                for fault in faults { refuse(fault.pointer, fault) }
                query = try read(Query.self)
            }
        }
    }

    /// Chooses the last 30 days if the query names no day.
    mutating func chooseLastDays(through today: CalendarDay) {
        guard parameter("from") == nil, parameter("to") == nil else { return }
        query += [("from", today.adding(days: -29).iso), ("to", today.iso)]
    }

    /// Leaves a text to search for out, if it is longer than its field.
    mutating func refuseLongText(_ name: String) {
        guard (query.last { $0.name == name }?.value.unicodeScalars.count ?? 0) > 200 else { return }
        refuse(name, Fault(name, .outOfRange, "Must have 1 to 200 characters."))
    }

    /// A table of CSV as a download.
    ///
    /// - Parameter isForOneReader: whether it has what only this viewer may see, so that no cache keeps it.
    func csv(
        _ body: [UInt8], _ name: String, header: String = "", isForOneReader: Bool = true
    ) throws -> Response {
        try RenderedDocument(
            body: body, contentType: "text/csv; charset=utf-8" + header,
            more: [("Content-Disposition", "attachment; filename=\"\(name).csv\"")], isForOneReader: isForOneReader
        ).response(for: request)
    }

    /// The first value of a parameter.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    func mayCall(_ operation: APIOperation) -> Bool {
        guard let permission = operation.permission else { return true }
        return session?.token.role.allows(permission) ?? false
    }

    /// Whether the role of the session holds every permission.
    var isOwner: Bool { session?.token.role.permissions.isSuperset(of: Permission.allCases) ?? false }

    /// Who makes a change without a call of the API. Throws 404 without a session.
    func actor() throws(HTTPFailure) -> Actor {
        guard let token = session?.token else { throw .notFound }
        let actor = Actor(
            tokenID: token.id, name: token.name, requestID: request.id, permissions: token.role.permissions)
        return claim.map(actor.claiming) ?? actor
    }

    /// Reads the body as a form with files. Throws 400, 413 or 415.
    func multipart(limits: FormLimits = FormLimits()) throws(HTTPFailure) -> MultipartForm {
        guard let type = request.head.value(of: .contentType),
            let boundary = MultipartForm.boundary(inMediaType: type), !request.head.contains(.contentEncoding)
        else {
            throw HTTPFailure(.unsupportedMediaType, "The Content-Type must be multipart/form-data with a boundary.")
        }
        let form: MultipartForm
        do throws(FormError) {
            form = try MultipartForm(request.body, boundary: boundary, limits: limits)
        } catch {
            throw Self.failure(error)
        }
        try shape?.check(form)
        return form
    }

    private static func failure(_ error: FormError) -> HTTPFailure {
        switch error {
        case .malformed(let detail): HTTPFailure(.malformedRequest, Sentence(pattern: detail))
        case .tooLarge(let pattern, let limit):
            HTTPFailure(.bodyTooLarge, Sentence(pattern: pattern, values: [.number(Int64(limit))]))
        }
    }

    /// Reads the body as a form, without the token that confirms it. Throws 400, 413 or 415.
    func form() throws(HTTPFailure) -> FormFields {
        let fields = try sentForm().fields
        return FormFields(fields.filter { $0.name != Reentry.field })
    }

    /// The token that confirms the form, without blanks around it; nil if it was not asked for yet.
    func confirmation() throws(HTTPFailure) -> String? {
        let given = try sentForm().values(Reentry.field)
        guard given.count < 2 else { throw FormShape.repeats(Reentry.field) }
        return given.first?.filter { !$0.isWhitespace }
    }

    private func sentForm() throws(HTTPFailure) -> FormFields {
        do throws(SubmittedForm.Refusal) {
            return try SubmittedForm.read(request)
        } catch {
            switch error {
            case .mediaType:
                throw HTTPFailure(
                    .unsupportedMediaType, "The Content-Type must be application/x-www-form-urlencoded.")
            case .compressed: throw HTTPFailure(.unsupportedContentCoding, "A form must not be compressed.")
            case .malformed(let error): throw Self.failure(error)
            }
        }
    }

    /// The address of the list that a form belongs to, from its hidden fields `list_…`: filters are kept over a save.
    static func listQuery(_ form: FormFields) -> [NamedValue] {
        form.fields.compactMap { field in
            guard field.name.hasPrefix("list_"), !field.value.isEmpty else { return nil }
            return (String(field.name.dropFirst(5)), field.value)
        }
    }
}

/// Errors under `/console` as pages for browsers, with the status of the problem.
///
/// Addresses that do not exist get one too, outside the API.
struct ConsoleErrors: Sendable {
    let origin: ConsoleOrigin
    let hasConsole: Bool

    /// Nil for other addresses, and for programs.
    func page(of failure: HTTPFailure, for request: Request) -> Response? {
        let isConsole = hasConsole && Self.isConsole(request)
        if isConsole, failure.code == .notFound, request.method == .get, let place = Self.withoutSlash(request) {
            return ConsoleResponse.seeOther(place)
        }
        guard isConsole || failure.code == .notFound && Self.isUnknown(request), StartPage.isBrowser(request) else {
            return nil
        }
        let cookies = ConsoleCookies(isSecure: origin.isSecure(request))
        guard let visit = try? ConsoleVisit(request, cookies: cookies) else { return nil }
        let error = ErrorPage(
            failure.code, faults: Array(failure.faults.prefix(5)), detail: failure.sentence, requestID: request.id,
            isConsole: isConsole)
        var response = visit.show(error, .of(failure.code))
        for field in failure.fields where response.fields[field.name] == nil { response.fields.append(field) }
        return response
    }

    /// Whether no route has the address, and it is none of the API.
    private static func isUnknown(_ request: Request) -> Bool {
        request.route == nil
            && request.head.withPath { path in
                let prefix = "/api".utf8
                return !path.starts(with: prefix)
                    || path.count > prefix.count && path[prefix.count] != UInt8(ascii: "/")
            }
    }

    /// `/console/audit` for `/console/audit/`, with its query.
    private static func withoutSlash(_ request: Request) -> String? {
        let path = request.path
        guard path.hasSuffix("/"), let items = try? request.queryItems().items else { return nil }
        let segments = path.split(separator: "/").map { PercentCoding.decode($0.utf8) ?? String($0) }
        return HTMLLink(path: segments, query: items.map { ($0.name, $0.value) }).text
    }

    private static func isConsole(_ request: Request) -> Bool {
        request.head.withPath { path in
            let prefix = "/console".utf8
            return path.starts(with: prefix) && (path.count == prefix.count || path[prefix.count] == UInt8(ascii: "/"))
        }
    }
}

/// Responses of the console.
enum ConsoleResponse {
    private static let responses = PageResponses()

    static func page(
        _ html: [UInt8], _ status: HTTPResponse.Status = .ok, cookies: [String] = []
    ) -> Response {
        responses.page(html, status, cookies: cookies)
    }

    static func seeOther(_ link: HTMLLink) -> Response { seeOther(link.text) }

    /// 429: a page that says how long to wait.
    static func tooMany(_ html: [UInt8], seconds: Int) -> Response {
        var response = page(html, .tooManyRequests)
        response.fields[.retryAfter] = "\(seconds)"
        return response
    }

    /// 303: the browser continues with a GET, so that reloading sends nothing again.
    static func seeOther(_ location: String, cookies: [String] = []) -> Response {
        responses.seeOther(location, cookies: cookies)
    }
}
