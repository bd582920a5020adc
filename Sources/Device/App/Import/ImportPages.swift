import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import HTTPWire
import SubGuardDomain
import SubGuardEngine

/// Importing a file: chosen or dropped, looked at, accepted row by row. Nothing is stored before.
enum ImportPages {
    static let link = HTMLLink("import")

    static func routes(_ gate: AppGate) -> [Route] {
        let desk = ImportDesk()
        return [
            gate.page("/import") { visit in AppResponse.page(try form(visit)) },
            gate.files("/import", maximumBytes: ImportDesk.maximumBytes) { visit, form in
                try preview(visit, form, desk)
            },
            gate.form("/import/again") { visit, form in try again(visit, form, desk) },
            gate.form("/import/accept") { visit, form in try accept(visit, form, desk) },
        ]
    }

    // MARK: Reading

    private static func preview(_ visit: AppVisit, _ sent: MultipartForm, _ desk: ImportDesk) throws -> Response {
        let currency = (sent.texts["currency"] ?? "").trimmingBlanks.uppercased()
        func refused(_ error: any Error) throws -> Response {
            AppResponse.page(try form(visit, currency: currency, error: error), .unprocessableContent)
        }
        guard let session = visit.session, let file = sent.files.first, !file.content.isEmpty else {
            return try refused(DeviceStoreError.file("No file was chosen."))
        }
        if !currency.isEmpty, Currency(code: currency) == nil {
            return try refused(
                DeviceStoreError.invalid(Fault("currency", .invalidFormat, "Must be a currency code such as EUR.")))
        }
        let isTable = ![ImportFormat.json.rawValue, ImportFormat.wallos.rawValue].contains(sent.texts["kind"])
        if let error = ImportCheck.refusal(of: file.content, isTable: isTable) { return try refused(error) }
        let format = sent.texts["kind"].flatMap { ImportFormat(rawValue: $0) }
        var reading = StatementOptions()
        reading.currency = Currency(code: currency)
        let kind = format.map { ImportKind.other($0) } ?? .bank(reading)
        let pending = HeldFile(file.fileName, file.content, kind, of: session, visit)
        do {
            let page = try ImportPreview(visit, pending).page()
            desk.put(pending, now: visit.moment.now)
            return AppResponse.page(page)
        } catch let error as DeviceStoreError {
            return try refused(error)
        }
    }

    /// The same file, read as the user says.
    private static func again(_ visit: AppVisit, _ form: FormFields, _ desk: ImportDesk) throws -> Response {
        var pending = try desk.file(form["id"], visit)
        guard case .bank(var reading) = pending.kind else {
            throw AppRefusal.unreadable("The file is no longer here. Choose it again.")
        }
        let former = pending
        reading.encoding = form["encoding"].flatMap { StatementEncoding(rawValue: $0) }
        reading.dateOrder = form["date_order"].flatMap { DateOrder(rawValue: $0) }
        reading.mapping = [:]
        for number in 1...ImportReading.mostColumns {
            guard let field = form["column_\(number)"].flatMap({ StatementField(rawValue: $0) }) else { continue }
            reading.mapping["\(number)"] = field
        }
        pending.kind = .bank(reading)
        do {
            let page = try ImportPreview(visit, pending).page()
            desk.put(pending, now: visit.moment.now)
            return AppResponse.page(page)
        } catch let error as DeviceStoreError {
            return AppResponse.page(try ImportPreview(visit, former, error: error).page(), .unprocessableContent)
        }
    }

    private static func accept(_ visit: AppVisit, _ form: FormFields, _ desk: ImportDesk) throws -> Response {
        let pending = try desk.file(form["id"], visit)
        do {
            switch pending.kind {
            case .bank(let reading):
                var options = StatementImportOptions()
                options.reading = reading
                options.skipsBadRows = true
                options.acceptance = .chosen(Set(form.values("proposal")))
                _ = try visit.store.statements.importFiles(
                    [StatementFile(name: pending.name, bytes: pending.bytes)], options, at: visit.moment)
            case .other(let format):
                var options = ImportOptions(format: format)
                options.skipsBadRows = true
                options.currency = try visit.store.subscriptions.usualCurrency()
                _ = try visit.store.portability.importFile(pending.bytes, options, at: visit.moment)
            }
        } catch let error as DeviceStoreError {
            let page = try ImportPreview(visit, pending, error: error).page()
            return AppResponse.page(page, .unprocessableContent)
        }
        desk.remove(pending.id)
        return AppResponse.seeOther(try visit.done(HTMLLink()))
    }

    // MARK: The form

    private static func form(
        _ visit: AppVisit, currency: String? = nil, error: (any Error)? = nil
    ) throws -> [UInt8] {
        let usual = try currency ?? visit.usualCurrency()
        return visit.page(.subscriptions, title: visit.text("Import")) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(HTMLLink()), text: visit.text("Subscriptions"))
            }
            html.add(.div, .class("top")) { html in
                html.add(.div) { html in
                    html.add(.h1, text: visit.text("Import"))
                    html.add(
                        .p,
                        text: visit.text(
                            "Nothing is stored before you have looked at it. The file stays on this device."))
                }
            }
            if let error {
                html.add(
                    .p, .class("notice bad lines"), .role("alert"), .tabindex(-1), .data("focus"),
                    text: "\(error)".split(separator: "\n").prefix(12).map {
                        visit.words.sentence(String($0.prefix(300)))
                    }.joined(separator: "\n"))
            }
            html.add(
                .form, .methodPost, .multipart, .action(link), .class("panel stack"), .data("drop"),
                .data("most", "\(ImportDesk.maximumBytes)"),
                .data("too-large", visit.words.sentence("The file is larger than \(ImportDesk.maximumBytes >> 20) MB."))
            ) { html in
                html.add(.div, .class("field")) { html in
                    html.add(.label, .for("file"), text: visit.text("File"))
                    html.add(.input, .type("file"), .id("file"), .name("file"), .required)
                }
                html.add(.div, .class("fields")) { html in
                    html.add(.div, .class("field")) { html in
                        html.add(.label, .for("kind"), text: visit.text("What it is"))
                        html.add(.select, .id("kind"), .name("kind")) { html in
                            for (value, text) in kinds(visit) { html.add(.option, .value(value), text: text) }
                        }
                    }
                    html.add(.div, .class("field")) { html in
                        html.add(.label, .for("currency"), text: visit.text("Currency, if the file names none"))
                        html.add(
                            .input, .type("text"), .id("currency"), .name("currency"), .value(usual), .maxLength(8),
                            .autocomplete("off"))
                    }
                }
                html.add(.button, .type("submit"), .class("primary"), text: visit.text("Look at it"))
            }
        }
    }

    private static func kinds(_ visit: AppVisit) -> [(String, String)] {
        [
            ("bank", visit.text("bank statement (CSV, OFX, QIF, CAMT.053)")),
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
