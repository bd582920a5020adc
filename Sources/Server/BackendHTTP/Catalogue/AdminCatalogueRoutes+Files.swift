import Catalogue
import Foundation
package import HTTPServer
import HTTPTypes
import HTTPWire
import JSONWire
import ServerAccess
package import ServerContract
import SubGuardContract
package import SubGuardDomain
import TextCoding

/// Import and export of the catalogue.
extension AdminCatalogueRoutes {
    /// Enough for tens of thousands of items.
    private static let maximumFileBytes = 32 << 20
    private static let maximumRows = 100_000

    func fileBindings() -> [RouteBinding] {
        [
            gate.binding(.importCatalogue, maximumBodyBytes: Self.maximumFileBytes) { request, actor in
                try importFile(request, actor)
            },
            gate.binding(.catalogueImports) { request, _ in
                try WholeList(items: imports.list).document().response(for: request)
            },
            gate.binding(.exportCatalogue) { request, _ in
                try export(try CatalogueExportQuery(query: request), for: request)
            },
        ]
    }

    /// Imports a file of a media type; its report has a digest. The first character selects JSON or CSV for
    /// `application/octet-stream`.
    ///
    /// - Parameter expected: the digest of the check that the caller has seen. If the file would change something else
    ///   now, nothing is written.
    package func importFile(
        _ bytes: [UInt8], type: String, _ query: CatalogueImportQuery, expecting expected: [UInt8]?, _ call: AdminCall
    ) throws -> CatalogueImportAnswer {
        var options = CatalogueImportOptions()
        options.digest = expected.map { .expected($0) } ?? .reported
        return try importFile(query, call, options) { (bytes, type) }
    }

    /// - Parameter file: read when it is this import's turn: only one may hold a file in memory.
    private func importFile(
        _ query: CatalogueImportQuery, _ call: AdminCall, _ options: CatalogueImportOptions = CatalogueImportOptions(),
        _ file: () throws -> (bytes: [UInt8], type: String)
    ) throws -> CatalogueImportAnswer {
        var options = options
        options.isDryRun = query.isDryRun
        options.skipsBadRows = query.skipsBadRows
        options.mode = query.mode
        var ignored: [String] = []
        var report = try imports.run(by: call.actor, options: options) {
            let (bytes, type) = try file()
            let rows = try Self.rows(in: bytes, type) { ignored = $0 }
            guard (1...Self.maximumRows).contains(rows.count) else {
                throw HTTPFailure.invalid("#", .outOfRange, "A file has 1 to \(Self.maximumRows) rows.")
            }
            return rows
        }
        report.ignoredColumns = ignored
        if report.isApplied { try publisher.refresh() }
        return CatalogueImportAnswer(report, isDryRun: query.isDryRun)
    }

    private func importFile(_ request: Request, _ actor: Actor) throws -> Response {
        let query = try CatalogueImportQuery(query: request)
        let answer = try importFile(query, AdminCall(request, by: actor)) {
            let type = (request.head.value(of: .contentType) ?? "").prefix { $0 != ";" }.lowercased()
            return (
                try ContentCoding.decodedBody(of: request, maximumBytes: Self.maximumFileBytes),
                type.filter { $0 != " " && $0 != "\t" }
            )
        }
        guard answer.isRefusal else { return answer.response(.ok) }
        var refusal = RefusedImport(answer, requestID: request.id).response(.unprocessableContent)
        refusal.fields[.contentType] = "application/problem+json"
        return refusal
    }

    private static func rows(
        in bytes: [UInt8], _ type: String, ignoring: ([String]) -> Void
    ) throws -> [CatalogueImportRow] {
        // A byte order mark, which Windows' editors write, is no part of JSON or CSV.
        let content = bytes.withoutByteOrderMark
        let first = content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let looksLikeJSON = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
        if type == "application/json" || !["text/csv", "application/vnd.ms-excel"].contains(type) && looksLikeJSON {
            do {
                return try CatalogueJSONFile.parse(Array(content), rowCount: 1...maximumRows)
            } catch let error as JSONError {
                throw HTTPFailure(error)
            }
        }
        do {
            return try CatalogueCSV.parse(bytes, maximumRows: maximumRows, ignoring: ignoring)
        } catch {
            // The line is in the pointer.
            let detail = error.column.map { "Column \($0): \(error.detail)" } ?? error.detail
            throw HTTPFailure.invalid("#/line/\(error.line)", error.kind, Sentence(pattern: detail))
        }
    }

    package func export(_ query: CatalogueExportQuery, for request: Request) throws -> Response {
        let format = query.format
        let view = try publisher.freshView()
        // Rendering and compressing thousands of items takes tens of milliseconds, so each file is cached per revision.
        if let document = view.answers.document(for: request.head) { return try document.response(for: request) }
        let body = format == .csv ? CatalogueCSV.write(view.items) : CatalogueJSONFile.write(view.items)
        let document = RenderedDocument(
            body: body,
            contentType: format == .csv ? "text/csv; charset=utf-8; header=present" : "application/json",
            more: [("Content-Disposition", "attachment; filename=\"catalogue.\(format.rawValue)\"")])
        view.answers.keep(document, for: request.head, bytes: body.count)
        return try document.response(for: request)
    }

    func logoBindings() -> [RouteBinding] {
        [
            gate.binding(.putCatalogueLogo, maximumBodyBytes: ImageFile.limitBytes - 1) { request, actor in
                let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: ImageFile.limitBytes - 1)
                return try Self.item.response(try putLogo(bytes, AdminCall(request, by: actor)), request)
            },
            gate.binding(.deleteCatalogueLogo, .empty) { call in _ = try removeLogo(call) },
        ]
    }

    /// Sets a logo. The content of the image determines its format, not a declared type.
    package func putLogo(_ bytes: [UInt8], _ call: AdminCall) throws -> CatalogueItem {
        let image = try Self.image(bytes)
        let revision = try revision(call)
        // Checked before the file is written, so that a mistyped id leaves no stray file.
        guard try store.find(try call.id()) != nil else { throw HTTPFailure(.notFound, "There is no such item.") }
        return try published(
            try store.setLogo(
                LogoFile(image), in: logos, of: try call.id(), ifRevision: revision, by: call.actor))
    }

    package func removeLogo(_ call: AdminCall) throws -> CatalogueItem {
        try published(
            try store.setLogo(
                nil, in: logos, of: try call.id(), ifRevision: try revision(call), by: call.actor))
    }

    private static func image(_ bytes: [UInt8]) throws(HTTPFailure) -> ImageFile {
        do throws(ImageError) {
            return try ImageFile(bytes)
        } catch {
            switch error {
            case .unknownFormat:
                throw HTTPFailure(.unsupportedMediaType, "The body must be a PNG, JPEG or WebP image.")
            case .broken(let format):
                throw HTTPFailure.invalid(
                    "#", .invalidFormat, "The body begins as \(format.rawValue) and is not a whole image of it.")
            case .tooManyBytes:
                throw HTTPFailure(.bodyTooLarge, "A logo must have less than \(ImageFile.limitBytes) bytes.")
            case .tooManyPixels:
                throw HTTPFailure.invalid(
                    "#", .outOfRange, "A logo must have at most \(ImageFile.maximumSide) pixels a side.")
            }
        }
    }
}
