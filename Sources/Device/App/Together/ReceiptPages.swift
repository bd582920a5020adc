import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Receipts of expenses and transactions: added, shown, downloaded and deleted.
enum ReceiptPages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("receipts", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/receipts/{id:uuid}") { visit in
                let receipt = try receipt(visit)
                return AppResponse.receipt(
                    try visit.store.receipts.content(of: receipt.id), named: receipt.name, type: receipt.kind.rawValue,
                    // A PDF may have scripts of its own, which the browser's viewer would run.
                    isDownload: receipt.kind == .pdf || visit.parameter("download") != nil)
            },
            gate.page("/receipts/{id:uuid}/view") { visit in AppResponse.page(page(visit, try receipt(visit))) },
            gate.form("/receipts/{id:uuid}/delete") { visit, _ in
                let receipt = try receipt(visit)
                try visit.store.receipts.delete(receipt.id, at: visit.moment)
                return AppResponse.seeOther(try visit.done(place(receipt.owner)))
            },
        ]
    }

    /// A picture in full. On a page of ours, because browsers show a picture alone with inline styles.
    private static func page(_ visit: AppVisit, _ receipt: Receipt) -> [UInt8] {
        visit.page(.together, title: receipt.name) { html in
            html.crumb(place(receipt.owner), visit.text("Receipts"))
            html.add(.div, .class("top")) { $0.add(.h1, text: receipt.name) }
            if receipt.kind != .pdf {
                html.add(.img, .source(link(receipt.id)), .alt(receipt.name), .class("whole-receipt"))
            }
        }
    }

    /// Takes the file of a form as a receipt.
    static func add(_ form: MultipartForm, to owner: Receipt.Owner, _ visit: AppVisit) throws {
        guard let file = form.files.first, !file.content.isEmpty else {
            throw DeviceStoreError.invalid(Fault("file", .required, "No file was chosen."))
        }
        try visit.store.receipts.add(file.content, named: file.fileName, to: owner, at: visit.moment)
    }

    /// The page of what a receipt belongs to.
    static func place(_ owner: Receipt.Owner) -> HTMLLink {
        switch owner {
        case .expense(let id): ExpensePages.link(id)
        case .transaction(let id): TransactionPages.link(id)
        }
    }

    private static func receipt(_ visit: AppVisit) throws -> Receipt {
        let id = try visit.request.parameters.uuid()
        guard let receipt = try visit.store.receipts.list().first(where: { $0.id == id }) else {
            throw DeviceStoreError.notFound(.receipt, id: id.lowercased)
        }
        return receipt
    }
}

/// The receipts on the page of an expense or a transaction.
struct ReceiptSection {
    private let visit: AppVisit
    private let owner: Receipt.Owner
    private let receipts: [Receipt]
    private let faults: [Fault]

    init(_ visit: AppVisit, _ owner: Receipt.Owner, faults: [Fault] = []) throws {
        self.visit = visit
        self.owner = owner
        self.faults = faults
        receipts = try visit.store.receipts.list(of: owner)
    }

    func write(to html: inout HTMLWriter) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: visit.text("Receipts"))
            if receipts.isEmpty { html.add(.p, .class("muted"), text: visit.text("No receipts yet.")) }
            html.add(.ul, .class("receipts")) { html in
                for receipt in receipts { write(receipt, to: &html) }
            }
            if receipts.count < Receipt.maximumPerOwner { writeForm(to: &html) }
        }
    }

    private func write(_ receipt: Receipt, to html: inout HTMLWriter) {
        let link = ReceiptPages.link(receipt.id)
        html.add(.li, .class("panel")) { html in
            if receipt.kind != .pdf {
                html.add(.a, .href(HTMLLink("receipts", receipt.id.lowercased, "view"))) { html in
                    html.add(.img, .source(link), .alt(receipt.name), .lazy, .class("receipt"))
                }
            }
            html.add(.p, .class("breaks")) { html in
                html.text(receipt.name)
                html.add(
                    .small, .class("muted"), text: " " + visit.text("\((receipt.byteCount + 1023) / 1024) KiB"))
            }
            html.add(.div, .class("actions")) { html in
                html.add(
                    .a, .class("button"),
                    .href(HTMLLink("receipts", receipt.id.lowercased, query: [("download", "1")])),
                    .download(receipt.name),
                    .aria("label", "\(visit.text("Download"))\(visit.colon)\(receipt.name)"),
                    text: visit.text("Download"))
                html.add(
                    .form, .methodPost, .action(HTMLLink("receipts", receipt.id.lowercased, "delete"))
                ) { html in
                    html.add(
                        .button, .type("submit"),
                        .aria("label", "\(visit.text("Delete"))\(visit.colon)\(receipt.name)"),
                        text: visit.text("Delete"))
                }
            }
        }
    }

    private func writeForm(to html: inout HTMLWriter) {
        let place =
            switch owner {
            case .expense(let id): HTMLLink("expenses", id.lowercased, "receipts")
            case .transaction(let id): HTMLLink("transactions", id.lowercased, "receipts")
            }
        let limit = visit.text("JPEG, PNG, WebP or PDF, at most \(Receipt.maximumBytes >> 20) MB.")
        html.add(
            .form, .methodPost, .multipart, .action(place), .class("panel stack after"), .data("drop"),
            .data("most", "\(Receipt.maximumBytes)"),
            .data("too-large", visit.sentence("The file is larger than \(Receipt.maximumBytes >> 20) MB."))
        ) { html in
            html.add(.div, .class("field")) { html in
                html.add(.label, .for("file"), text: visit.text("Add a receipt"))
                html.add(
                    .input, .type("file"), .id("file"), .name("file"), .required,
                    .accept("image/jpeg,image/png,image/webp,application/pdf"),
                    faults.isEmpty ? nil : .aria("invalid", "true"),
                    .aria("describedby", faults.isEmpty ? "file-hint" : "file-fault"))
                if !faults.isEmpty {
                    html.add(
                        .p, .class("fault"), .id("file-fault"), .role("alert"),
                        text: faults.map { visit.sentence($0.detail) }.joined(separator: " "))
                }
                html.add(.p, .class("hint"), .id("file-hint"), text: limit)
            }
            html.add(.button, .type("submit"), text: visit.text("Add"))
        }
    }
}
