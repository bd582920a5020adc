import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardDomain
import SubGuardEngine

/// Where a browser goes on after a form.
enum FormEnd {
    /// A page, which names the change with a way to undo it.
    case done(HTMLLink)
    /// A page, which says that nothing was changed.
    case unchanged(HTMLLink)
    /// A page that says nothing of the change.
    case page(HTMLLink)
    case answer(Response)

    /// The page of one thing that was edited as it stood at the time of the change.
    ///
    /// - Parameter change: makes the change with the edit that it is given.
    static func edited<Record: Equatable>(
        _ link: HTMLLink, by change: ((inout Record) throws -> Void) throws -> Record,
        _ edit: @escaping (inout Record) throws -> Void
    ) throws -> FormEnd {
        var isChanged = false
        _ = try change { record in
            let before = record
            try edit(&record)
            isChanged = record != before
        }
        return isChanged ? .done(link) : .unchanged(link)
    }

    /// Call it after the change.
    func response(_ visit: AppVisit) throws -> Response {
        switch self {
        case .done(let link): AppResponse.seeOther(try visit.done(link))
        case .unchanged(let link): AppResponse.seeOther(visit.nothingDone(link))
        case .page(let link): AppResponse.seeOther(link.text)
        case .answer(let response): response
        }
    }
}

extension DeviceStoreError? {
    /// The fields that must be corrected; empty without an error.
    var faults: [Fault] { self?.faults ?? [] }
}

/// A form whose page is shown again with what was typed: it was not accepted, or came without a session.
struct SentForm: Sendable {
    let fields: FormFields
    /// Why it was not accepted; nil for a ``KeptForm``.
    let error: DeviceStoreError?
}

extension SentForm? {
    /// The fields that must be corrected.
    var faults: [Fault] { self?.error?.faults ?? [] }
}

extension AppVisit {
    /// What was sent by the form with this address and is shown again; nil for a form as it stands.
    ///
    /// - Parameter values: what it has sent besides, where forms of a page have the same address.
    func sent(to link: HTMLLink, _ values: KeyValuePairs<String, String> = [:]) -> SentForm? {
        guard request.path == link.text, let sent else { return nil }
        return values.allSatisfy { sent.fields[$0.key] == $0.value } ? sent : nil
    }

    /// A visit whose page shows a form again.
    fileprivate func showing(_ fields: FormFields, _ error: DeviceStoreError? = nil) -> AppVisit {
        var visit = self
        visit.sent = SentForm(fields: fields, error: error)
        return visit
    }
}

extension AppGate {
    /// A form, urlencoded.
    ///
    /// - Parameters:
    ///   - isChange: whether it changes the user's data, so that the weekly backup may be due.
    ///   - saysAll: whether the page also shows errors that concern no field.
    ///   - isKept: whether a ``KeptForm`` comes back; not for a form without text.
    ///   - again: the page of the form, for one that was refused and for a ``KeptForm``; see ``AppVisit/sent(to:)``.
    ///   - handler: makes the change. A fault that it throws is that of a field.
    func form(
        _ pattern: String, isChange: Bool = true, saysAll: Bool = false, isKept: Bool = true,
        again: (@Sendable (AppVisit) throws -> [UInt8])? = nil,
        _ handler: @escaping @Sendable (AppVisit, FormFields) throws -> FormEnd
    ) -> Route {
        Route(
            .post, pattern,
            .blocking { request in
                let visit = try visit(request)
                let form = try Self.form(request)
                if KeptForm.isKept(form) {
                    guard isKept, let again, let kept = KeptForm(returning: form, at: request.path) else {
                        return AppResponse.seeOther(visit.nothingDone(HTMLLink()))
                    }
                    return AppResponse.page(try again(visit.showing(kept.fields)))
                }
                let response = try Self.end(visit, form, saysAll: saysAll, again: again) { try handler(visit, form) }
                // The weekly backup, as after a command. What fails is tried again with the next change.
                if isChange { _ = try? context.store.backups.makeIfDue(at: visit.moment) }
                return response
            })
    }

    /// A form that sends one file.
    ///
    /// - Parameters:
    ///   - name: of the field with the file.
    ///   - missing: what is said of a form without a file.
    ///   - again: the page for a file that was refused.
    func file(
        _ pattern: String, _ name: String = "file", missing: Sentence = "No file was chosen.", maximumBytes: Int,
        again: @escaping @Sendable (AppVisit) throws -> [UInt8],
        _ handler: @escaping @Sendable (AppVisit, MultipartForm.File) throws -> FormEnd
    ) -> Route {
        files(pattern, maximumBytes: maximumBytes) { visit, form in
            try Self.end(visit, form.texts, again: again) {
                guard let file = form.files.first, !file.content.isEmpty else {
                    throw Fault(name, .required, missing)
                }
                return try handler(visit, file)
            }
        }
    }

    /// What a change ends on, or the page again for one that was refused.
    private static func end(
        _ visit: AppVisit, _ form: FormFields, saysAll: Bool = false, again: ((AppVisit) throws -> [UInt8])?,
        change: () throws -> FormEnd
    ) throws -> Response {
        do {
            return try change().response(visit)
        } catch {
            guard let refusal = error as? DeviceStoreError ?? (error as? Fault).map({ .invalid($0) }) else {
                throw error
            }
            if let place = refusal.addedBefore { return AppResponse.seeOther(visit.nothingDone(place)) }
            guard let again, saysAll || !refusal.faults.isEmpty else { throw refusal }
            return AppResponse.page(try again(visit.showing(form, refusal)), .unprocessableContent)
        }
    }
}

extension Fault {
    /// The same fault of another field.
    func at(_ pointer: String) -> Fault { Fault(pointer, code, sentence) }
}
