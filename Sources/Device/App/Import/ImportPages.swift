import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements

/// Importing a file: chosen or dropped, looked at, accepted row by row. Nothing is stored before.
enum ImportPages {
    static let link = HTMLLink("import")

    static func routes(_ gate: AppGate) -> [Route] {
        let desk = ImportDesk()
        return [
            gate.page("/import") { try form($0) },
            gate.files("/import", maximumBytes: ImportDesk.maximumBytes) { visit, form in
                try preview(visit, form, desk)
            },
            // Without the weekly backup: what was shown must stay the last change.
            gate.form("/import/again", isChange: false) { visit, form in .answer(try again(visit, form, desk)) },
            gate.form("/import/accept", isChange: false) { visit, form in try accept(visit, form, desk) },
        ]
    }

    // MARK: Reading

    private static func preview(_ visit: AppVisit, _ sent: MultipartForm, _ desk: ImportDesk) throws -> Response {
        let currency = sent.texts.code("currency")
        func refused(_ error: any Error) throws -> Response {
            AppResponse.page(try form(visit, currency: currency, error: error), .unprocessableContent)
        }
        guard let session = visit.session, let file = sent.files.first, !file.content.isEmpty else {
            return try refused(DeviceStoreError.file("No file was chosen."))
        }
        if let fault = currencyFault(currency) { return try refused(DeviceStoreError.invalid(fault)) }
        let isTable = ![ImportFormat.json.rawValue, ImportFormat.wallos.rawValue].contains(sent.texts["kind"])
        let format = sent.texts["kind"].flatMap { ImportFormat(rawValue: $0) }
        if let error = ImportCheck.refusal(of: file.content, isTable: isTable, isBank: format == nil) {
            return try refused(error)
        }
        var reading = StatementOptions()
        reading.currency = Currency(code: currency)
        reading.language = visit.words
        let kind =
            format.map { .other(OtherFile(format: $0, currency: reading.currency)) }
            ?? ImportKind.bank(BankFile(reading: reading))
        let pending = HeldFile(file.fileName, file.content, kind, of: session, visit)
        do {
            return try show(visit, pending, desk)
        } catch let error as DeviceStoreError {
            // What a person can tell is asked.
            guard let page = ImportColumnChoice(visit, pending, error)?.page() else { return try refused(error) }
            desk.put(pending, now: visit.moment.now)
            return AppResponse.page(page, .unprocessableContent)
        }
    }

    /// - Parameter isRepeated: whether something has changed since the preview that was accepted.
    private static func show(
        _ visit: AppVisit, _ file: HeldFile<ImportKind>, _ desk: ImportDesk, isRepeated: Bool = false
    ) throws -> Response {
        var file = file
        file.shown = isRepeated ? ShownState(revision: try visit.store.revision(), at: visit.moment.now) : visit.shown
        let page: [UInt8]
        (page, file.kind) = try ImportPreview(visit: visit, pending: file, isRepeated: isRepeated).page()
        desk.put(file, now: visit.moment.now)
        return AppResponse.page(page, isRepeated ? .conflict : .ok)
    }

    private static func currencyFault(_ code: String) -> Fault? {
        code.isEmpty || Currency(code: code) != nil
            ? nil : Fault("currency", .invalidFormat, "Must be a currency code such as EUR.")
    }

    /// The same file, read as the user says.
    private static func again(_ visit: AppVisit, _ form: FormFields, _ desk: ImportDesk) throws -> Response {
        var pending = try desk.file(form["id"], visit)
        let former = pending
        if let fault = currencyFault(form.code("currency")) {
            return try refused(visit, pending, .invalid(fault), shown: former)
        }
        pending.kind = pending.kind.read(as: form)
        do {
            return try show(visit, pending, desk)
        } catch let error as DeviceStoreError {
            // The form is sent whole again; until then the file stays as it was read before.
            return try refused(visit, pending, error, shown: former)
        }
    }

    /// What a person can tell is asked; for anything else the preview says why.
    private static func refused(
        _ visit: AppVisit, _ pending: HeldFile<ImportKind>, _ error: DeviceStoreError, shown: HeldFile<ImportKind>
    ) throws -> Response {
        let page = ImportColumnChoice(visit, pending, error)?.page()
        let preview = ImportPreview(visit: visit, pending: shown, error: error)
        return AppResponse.page(try page ?? preview.page().page, .unprocessableContent)
    }

    private static func accept(_ visit: AppVisit, _ form: FormFields, _ desk: ImportDesk) throws -> FormEnd {
        let pending = try desk.file(form["id"], visit)
        do {
            switch pending.kind {
            case .bank(let bank):
                var options = bank.options
                let chosen = ImportMatches.chosen(form, listed: bank.listed)
                options.acceptance = .chosen(chosen.proposals)
                options.matches = bank.matches(chosen: chosen.matches, rest: form["rest"] != nil)
                _ = try visit.store.statements.importFiles(
                    [StatementFile(name: pending.name, bytes: pending.bytes)], options, of: pending.shown,
                    at: visit.moment)
            case .other(let file):
                _ = try visit.store.portability.importFile(
                    pending.bytes, ImportOptions(file, visit), of: pending.shown, at: visit.moment)
            }
        } catch is ChangedSinceShown {
            // What was changed since could be replaced without having been shown.
            do {
                return .answer(try show(visit, pending, desk, isRepeated: true))
            } catch let error as DeviceStoreError {
                return .answer(try refused(visit, pending, error, shown: pending))
            }
        } catch let error as DeviceStoreError {
            return .answer(try refused(visit, pending, error, shown: pending))
        }
        desk.remove(pending.id)
        _ = try? visit.store.backups.makeIfDue(at: visit.moment)
        return .done(HTMLLink())
    }

    // MARK: The form

    private static func form(_ visit: AppVisit, currency: String? = nil, error: (any Error)? = nil) throws -> [UInt8] {
        let usual = try currency ?? visit.usualCurrency()
        return visit.page(.subscriptions, title: visit.text("Import")) { html in
            html.crumb(HTMLLink(), visit.text("Subscriptions"))
            html.top(visit.text("Import")) { html in
                html.paragraph(
                    visit.text("Nothing is stored before you have looked at it. The file stays on this device."))
            }
            if let error { html.refusal(ImportWords.lines(error, visit, isTable: false), "notice bad lines") }
            FileForm(
                visit: visit, link: link, label: visit.text("File"), most: ImportDesk.maximumBytes,
                submit: visit.text("Preview"), submitStyle: "primary",
                working: .data("working", visit.text("Still working"))
            ).write(to: &html) { html in
                html.add(.div, .class("fields")) { html in
                    html.choice("kind", visit.text("What it is"), current: nil, kinds(visit))
                    writeCurrency(usual, visit, to: &html)
                }
                html.hint(visit.text("A bank statement is CSV, XLSX, OFX, QIF, CAMT.053 or MT940."))
            }
        }
    }

    static func writeCurrency(_ value: String, _ visit: AppVisit, to html: inout HTMLWriter) {
        visit.field("currency", visit.text("Currency, if the file names none"), value: value, most: 8, to: &html)
    }

    private static func kinds(_ visit: AppVisit) -> [(value: String, text: String)] {
        [
            ("bank", visit.text("bank statement")),
            (ImportFormat.csv.rawValue, visit.text("table of subscriptions (CSV)")),
            (ImportFormat.json.rawValue, visit.text("export of SubGuard (JSON)")),
            (ImportFormat.wallos.rawValue, "Wallos"), (ImportFormat.subtrackr.rawValue, "SubTrackr"),
        ]
    }
}

extension AppVisit {
    /// The currency to begin with. Without a usual one, French stands for the euro; empty otherwise.
    func usualCurrency() throws -> String {
        try store.subscriptions.usualCurrency()?.code ?? (words == .french ? Currency.eur.code : "")
    }
}
