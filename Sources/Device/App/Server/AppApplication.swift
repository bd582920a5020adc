import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardDomain
import SubGuardEngine

/// Serves the pages: routing, who may come in, errors.
struct AppApplication: HTTPApplication {
    let routes: RouteTable
    private let context: AppContext

    init(_ context: AppContext) {
        self.context = context
        let gate = AppGate(context: context)
        routes = RouteTable(
            [
                LaunchPages.routes, SubscriptionPages.routes, AddPages.routes, DuePages.routes, CalendarPages.routes,
                InsightPages.routes, BudgetPages.routes, YearPages.routes, WhatToCancelPage.routes, WidgetPages.routes,
                BackupPages.routes, ImportPages.routes, TogetherPages.routes, PersonPages.routes, GroupPages.routes,
                SettingPages.routes, RestorePages.routes, MergePages.routes, ShellPages.routes, WelcomePages.routes,
                ScorePages.routes, ExportPages.routes, RatePages.routes, ReminderPages.routes, PrivacyPages.routes,
                ServerPages.routes, PremiumPages.routes, CategoryPages.routes, CalendarAddressPages.routes,
                LookPages.routes, ReceiptPages.routes, ExpensePages.routes, TransactionPages.routes,
                NoticePages.routes, UndoPages.routes, ServiceMarks.routes,
            ].flatMap { $0(gate) })
    }

    /// Before any handler, for assets too.
    func intercept(_ request: Request) -> Response? {
        guard let origin = context.origin else { return AppResponse.text("Starting.", .serviceUnavailable) }
        if let refusal = origin.refusal(of: request) { return response(for: refusal, request: request) }
        return worker(for: request)
    }

    /// A browser looks for a newer version of a service worker by itself, past every worker. One that another process
    /// registered while they had the port, under whatever name, is so replaced by the app's own.
    private func worker(for request: Request) -> Response? {
        request.head.method == .get && request.head.value(of: .secFetchDest) == "serviceworker"
            ? ShellPages.workerFile() : nil
    }

    func response(for error: any Error, request: Request) -> Response {
        // Unknown addresses come here at once.
        switch context.origin?.refusal(of: request) ?? error {
        case AppRefusal.host:
            return AppResponse.text("This is not the address of the app. Run: subguard open", .forbidden)
        case AppRefusal.site:
            return AppResponse.text("A page of another origin sent the request.", .forbidden)
        case AppRefusal.locked: return lockedPage(request)
        case AppRefusal.notFound: return failure(request, .notFound, nil)
        case AppRefusal.unreadable(let detail): return failure(request, .badRequest, detail)
        case AppRefusal.stale:
            return failure(request, .badRequest, "Something else was changed since.", SettingPages.changes)
        case AppRefusal.tooLarge(let bytes):
            return failure(request, .contentTooLarge, "The file is larger than \(bytes >> 20) MB.")
        case let error as WireError where error.status == .contentTooLarge:
            return failure(request, .contentTooLarge, error.detail)
        case let error as WireError where error.status == .notFound:
            return worker(for: request) ?? failure(request, .notFound, nil)
        case let error as WireError:
            return failurePage(request, error.status, nil)
                ?? AppResponse.text(error.detail, error.status)
        case let error as DeviceStoreError:
            if case .notFound = error { return failure(request, .notFound, "\(error)") }
            return failure(request, .unprocessableContent, "\(error)")
        default: return failure(request, .internalServerError, "\(error)")
        }
    }

    func finish(_ response: inout Response, for request: Request) {
        for cookie in context.origin?.strayCookiesEnded(request) ?? [] {
            response.fields.append(HTTPField(name: .setCookie, value: cookie))
        }
    }

    func observe(_ record: RequestRecord, request: Request) {}
    func observe(connections change: Int) {}
    func observe(_ shortage: ConnectionShortage) {}
    func observe(_ shortage: MemoryShortage) {}

    private func lockedPage(_ request: Request) -> Response {
        guard let visit = try? AppVisit(request, context, session: nil) else {
            return AppResponse.text("Run: subguard open", .unauthorized)
        }
        return AppResponse.page(LockedPage.page(visit, kept: KeptForm(refused: request)), .unauthorized)
    }

    /// Without a session, nothing is said but that there is none.
    private func failure(
        _ request: Request, _ status: HTTPResponse.Status, _ detail: String?, _ changes: HTMLLink? = nil
    ) -> Response {
        failurePage(request, status, detail, changes) ?? lockedPage(request)
    }

    /// A page with tabs; nil without a session.
    ///
    /// - Parameter changes: the list of changes, if it helps.
    private func failurePage(
        _ request: Request, _ status: HTTPResponse.Status, _ detail: String?, _ changes: HTMLLink? = nil
    ) -> Response? {
        let gate = AppGate(context: context)
        guard let session = try? gate.session(of: request),
            let visit = try? AppVisit(request, context, session: session, isFailure: true)
        else { return nil }
        let title = status == .notFound ? visit.text("Not found") : visit.text("That did not work")
        let page = visit.page(nil, title: title) { html in
            html.top(title)
            html.notice(.bad) { html in
                html.paragraph(detail.map { visit.sentence($0) } ?? visit.text("There is no such page."))
            }
            html.add(.p, .class("actions")) { html in
                if let changes { html.linkButton(visit.text("List of changes"), changes, style: "button primary") }
                html.linkButton(visit.text("All subscriptions"), HTMLLink())
            }
        }
        return AppResponse.page(page, status)
    }
}
