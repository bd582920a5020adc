import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Receipts of expenses and transactions: added, shown, downloaded and deleted.
enum ReceiptPages {
    static func link(_ id: UUID) -> HTMLLink { HTMLLink("receipts", id.lowercased) }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.answer("/receipts/{id:uuid}") { visit in
                let receipt = try visit.store.receipts.load(visit.id())
                return AppResponse.receipt(
                    try visit.store.receipts.content(of: receipt.id), named: receipt.name, type: receipt.kind.rawValue,
                    // A PDF may have scripts of its own, which the browser's viewer would run.
                    isDownload: receipt.kind == .pdf || visit.parameter("download") != nil)
            },
            gate.page("/receipts/{id:uuid}/view") { try page($0) },
            gate.form("/receipts/{id:uuid}/delete") { visit, _ in
                let receipt = try visit.store.receipts.load(visit.id())
                try visit.store.receipts.delete(receipt.id, at: visit.moment)
                return .done(place(receipt.owner))
            },
        ]
    }

    /// Takes the file of a form as a receipt of what the path names.
    static func adding(
        _ gate: AppGate, _ pattern: String, to owner: @escaping @Sendable (UUID) -> Receipt.Owner,
        again: @escaping @Sendable (AppVisit) throws -> [UInt8]
    ) -> Route {
        gate.file(pattern, maximumBytes: Receipt.maximumBytes, again: again) { visit, file in
            let owner = owner(try visit.id())
            try visit.store.receipts.add(file.content, named: file.fileName, to: owner, at: visit.moment)
            return .done(place(owner))
        }
    }

    /// A picture in full. On a page of ours, because browsers show a picture alone with inline styles.
    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let receipt = try visit.store.receipts.load(visit.id())
        return visit.page(.together, receipt.name, below: place(receipt.owner), named: visit.text("Receipts")) { html in
            if receipt.kind != .pdf {
                html.add(.img, .source(link(receipt.id)), .alt(receipt.name), .class("whole-receipt"))
            }
        }
    }

    /// The page of what a receipt belongs to.
    static func place(_ owner: Receipt.Owner) -> HTMLLink {
        switch owner {
        case .expense(let id): ExpensePages.link(id)
        case .transaction(let id): TransactionPages.link(id)
        }
    }
}

/// The receipts on the page of an expense or a transaction.
struct ReceiptSection {
    private let visit: AppVisit
    private let owner: Receipt.Owner
    private let receipts: [Receipt]

    init(_ visit: AppVisit, _ owner: Receipt.Owner) throws {
        self.visit = visit
        self.owner = owner
        receipts = try visit.store.receipts.list(of: owner)
    }

    func write(to html: inout HTMLWriter) {
        html.section(visit.text("Receipts")) { html in
            if receipts.isEmpty { html.mutedLine(visit.text("No receipts yet.")) }
            html.add(.ul, .class("receipts")) { html in
                for receipt in receipts { write(receipt, to: &html) }
            }
            guard receipts.count < Receipt.maximumPerOwner else { return }
            FileForm(
                visit: visit, link: place, label: visit.text("Add a receipt"),
                hint: visit.text("JPEG, PNG, WebP or PDF, at most \(Receipt.maximumBytes >> 20) MB."),
                accept: .accept("image/jpeg,image/png,image/webp,application/pdf"), most: Receipt.maximumBytes,
                submit: visit.text("Add"), style: "panel stack after"
            ).write(to: &html)
        }
    }

    private var place: HTMLLink {
        switch owner {
        case .expense(let id): HTMLLink("expenses", id.lowercased, "receipts")
        case .transaction(let id): HTMLLink("transactions", id.lowercased, "receipts")
        }
    }

    private func write(_ receipt: Receipt, to html: inout HTMLWriter) {
        let id = receipt.id.lowercased
        html.add(.li, .class("panel")) { html in
            if receipt.kind != .pdf {
                html.add(.a, .href(HTMLLink("receipts", id, "view"))) { html in
                    html.add(.img, .source(ReceiptPages.link(receipt.id)), .alt(receipt.name), .lazy, .class("receipt"))
                }
            }
            html.add(.p, .class("breaks")) { html in
                html.text(receipt.name)
                html.add(.small, .class("muted"), text: " " + visit.text("\((receipt.byteCount + 1023) / 1024) KiB"))
            }
            html.add(.div, .class("actions")) { html in
                html.add(
                    .a, .class("button"), .href(HTMLLink("receipts", id, query: [("download", "1")])),
                    .download(receipt.name), .aria("label", visit.label(visit.text("Download"), receipt.name)),
                    text: visit.text("Download"))
                html.button(
                    visit.text("Delete"), post: HTMLLink("receipts", id, "delete"),
                    label: visit.label(visit.text("Delete"), receipt.name))
            }
        }
    }
}
