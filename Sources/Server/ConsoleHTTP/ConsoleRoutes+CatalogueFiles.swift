import BackendHTTP
import Catalogue
import Console
import Cryptography
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain
import TextCoding

/// Duplicates and the import of files.
extension ConsoleRoutes {
    func catalogueFileBindings() -> [RouteBinding] {
        [
            gate.page("/console/catalogue/duplicates", of: [.catalogueDuplicates]) {
                try duplicates($0.query, $0)
            },
            gate.action(
                "/console/catalogue/duplicates", of: .dismissDuplicate, showing: [.catalogueDuplicates],
                form: FormShape(["first", "second", "action"], ofList: true), decideOnPair),
            gate.page(
                "/console/catalogue/duplicates/{first:uuid}/{second:uuid}",
                of: [.catalogueDuplicates, .adminCatalogueItem]
            ) { try mergePage($0) },
            gate.action(
                "/console/catalogue/duplicates/{first:uuid}/{second:uuid}", of: .mergeCatalogueItems,
                showing: [.catalogueDuplicates, .adminCatalogueItem],
                form: FormShape(
                    ["idempotency_key", "revision_first", "revision_second", "primary"],
                    optional: MergePage.fields.map { "use_\($0)" }), merge),
            gate.page("/console/catalogue/import", of: [.importCatalogue]) { importPage($0) },
            gate.action(
                "/console/catalogue/import", of: .importCatalogue,
                form: FormShape(
                    ["idempotency_key", "step"], optional: ["skip_bad", "content", "file_name", "checked"],
                    files: ["file"]),
                maximumBodyBytes: Self.maximumFormBytes, importFile),
            gate.page("/console/catalogue/logos", of: [.putCatalogueLogo]) { visit in
                var results: [LogosPage.Result] = []
                if let notice = BulkNotice(visit), case .logos(let kept)? = notices.result(notice.id, for: visit) {
                    results = kept
                }
                let view = try publisher.freshView()
                let items = results.compactMap { $0.item.flatMap { view.item($0.id) } }
                return LogosPage(
                    results: results, items: Dictionary(items.map { ($0.id, $0) }) { first, _ in first },
                    withoutLogo: view.totals.withoutLogo)
            },
            gate.action(
                "/console/catalogue/logos", of: .putCatalogueLogo,
                form: FormShape(repeated: ["logos"], files: ["logos"]),
                maximumBodyBytes: Self.maximumFormBytes
            ) { visit in try notices.once(visit) { try putLogos(visit) } },
        ]
    }

    // MARK: Logos

    private func withoutLogo() throws -> Int { try publisher.freshView().totals.withoutLogo }

    /// Sets the logo of the item that each file is named after. One file that fails does not affect the others.
    private func putLogos(_ visit: ConsoleVisit) throws -> Response {
        var limits = FormLimits()
        // Larger ones are refused one by one, each with its reason.
        limits.fileBytes = 8 << 20
        let files = try visit.multipart(limits: limits).files.filter { $0.name == "logos" && !$0.content.isEmpty }
        guard !files.isEmpty else {
            return visit.show(LogosPage(withoutLogo: try withoutLogo(), isEmpty: true), .unprocessableContent)
        }
        let known = try publisher.freshView().items.map { ($0.slug, (id: $0.id, name: $0.name)) }
        let slugs = Dictionary(known) { first, _ in first }
        let results = try files.map { file -> LogosPage.Result in
            guard let item = slugs[LogosPage.slug(ofFile: file.fileName)] else {
                return LogosPage.Result(fileName: file.fileName, item: nil, outcome: .noItem)
            }
            let outcome = try attempt(.putCatalogueLogo, on: item.id, for: visit) { call in
                try features.catalogue.putLogo(file.content, call)
            }
            let told: LogosPage.Outcome =
                switch outcome {
                case .done: .set
                case .refused(let faults, _): .refused(faults.refusals[0])
                case .lostRace: .noItem
                }
            return LogosPage.Result(fileName: file.fileName, item: item, outcome: told)
        }
        return ConsoleResponse.seeOther(
            notices.keep(.logos(results), of: visit) { HTMLLink("console", "catalogue", "logos", query: [$0]) })
    }

    // MARK: Duplicates

    private func duplicates(
        _ list: [NamedValue], _ visit: ConsoleVisit, faults: FormFaults = FormFaults()
    ) throws -> DuplicatesPage {
        let query = try ConsoleVisit.read(DuplicateQuery.self, list)
        let view = try publisher.freshView()
        let (count, pairs) = try features.catalogue.duplicates(query, in: view)
        let shown = pairs.prefix(query.limit)
        let next =
            pairs.count > shown.count
            ? shown.last.map { AdminCatalogueRoutes.cursor($0).encoded(for: query.list) } : nil
        return DuplicatesPage(
            pairs: shown.compactMap { pair in
                guard let first = view.item(pair.first), let second = view.item(pair.second) else { return nil }
                return (pair, first, second)
            }, count: count, minimumScore: query.minimumScore,
            list: ListAddress("catalogue", "duplicates", query: list), next: next,
            decision: Self.decision(visit, in: view), faults: faults)
    }

    /// What the address says about the form before: `dismissed.ID.ID`.
    private static func decision(_ visit: ConsoleVisit, in view: CatalogueView) -> DuplicatesPage.Decision? {
        let ids = (visit.notice?.value ?? "").split(separator: ".").compactMap { UUID(strict: String($0)) }
        guard ids.count == 2, let first = view.item(ids[0]), let second = view.item(ids[1]) else { return nil }
        switch visit.notice?.code {
        case "dismissed": return (first, second, true)
        case "restored": return (first, second, false)
        default: return nil
        }
    }

    /// Declares a pair to be no duplicate, or takes that back.
    private func decideOnPair(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let list = ConsoleVisit.listQuery(form)
        guard let action = form["action"], ["dismiss", "restore"].contains(action),
            let first = form["first"].flatMap({ UUID(strict: $0) }),
            let second = form["second"].flatMap({ UUID(strict: $0) })
        else { throw FormShape.foreign }
        let (items, isDismissal) = (DistinctItems(first: first, second: second), action == "dismiss")
        return try submit(isDismissal ? .dismissDuplicate : .restoreDuplicate, for: visit) { call in
            try isDismissal ? features.catalogue.dismiss(items, call) : features.catalogue.restore(items, call)
        } done: { _ in
            let notice = "\(isDismissal ? "dismissed" : "restored").\(first.lowercased).\(second.lowercased)"
            return HTMLLink("console", "catalogue", "duplicates", query: list + [("notice", notice)])
        } refused: { faults in
            try duplicates(list, visit, faults: faults)
        }
    }

    private func mergePage(
        _ visit: ConsoleVisit, primary: MergePage.Side = .first, chosen: [String: MergePage.Side] = [:],
        faults: FormFaults = FormFaults(), hasChanged: Bool = false
    ) throws -> MergePage {
        let first = try requireItem(try visit.request.parameters.uuid(0))
        let second = try requireItem(try visit.request.parameters.uuid(1))
        return MergePage(
            (first, Self.values(first)), (second, Self.values(second)),
            uses: try catalogue.uses(of: [first.id, second.id]), primary: primary, chosen: chosen, faults: faults,
            hasChanged: hasChanged)
    }

    /// Merges, then sets the chosen values: two calls, because only the merge frees the slug of the other item.
    private func merge(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let ids = [try visit.request.parameters.uuid(0), try visit.request.parameters.uuid(1)]
        let primary = form["primary"].flatMap { MergePage.Side(rawValue: $0) } ?? .first
        let (kept, other) = primary == .first ? (ids[0], ids[1]) : (ids[1], ids[0])
        let done = ConsoleResponse.seeOther("/console/catalogue/\(kept.lowercased)?notice=merged")
        guard let duplicate = try catalogue.find(other) else {
            // Sent twice: it is merged already.
            if try catalogue.primary(ofMerged: other) == kept { return done }
            throw HTTPFailure(.notFound, "There is no such item.")
        }
        let item = try requireItem(kept)
        var chosen: [String: MergePage.Side] = [:]
        for name in MergePage.fields {
            chosen[name] = form["use_\(name)"].flatMap { MergePage.Side(rawValue: $0) }
        }
        func again(
            _ status: HTTPResponse.Status, faults: FormFaults = FormFaults(), hasChanged: Bool = false
        ) throws -> Response {
            visit.show(
                try mergePage(visit, primary: primary, chosen: chosen, faults: faults, hasChanged: hasChanged), status)
        }
        guard form["revision_\(primary.other.rawValue)"] == "\(duplicate.revision)" else {
            return try again(.preconditionFailed, hasChanged: true)
        }
        let outcome = try attempt(
            .mergeCatalogueItems, on: kept, version: try AdminCall.Version(form, "revision_\(primary.rawValue)"),
            for: visit
        ) { call in try features.catalogue.merge(CatalogueMerge(duplicateIDs: [other]), call) }
        let merged: CatalogueItem
        switch outcome {
        case .done(let item): merged = item
        case .refused(let faults, let status): return try again(status, faults: faults)
        case .lostRace: return try again(.preconditionFailed, hasChanged: true)
        }
        let taken = chosen.filter { $0.value == primary.other }.map(\.key)
        let change = Self.change(of: merged, from: item, taking: taken, of: duplicate)
        guard !change.members.isEmpty else { return done }
        let changed = try attempt(
            .updateCatalogueItem, on: kept, version: .revision(merged.revision), for: visit
        ) { call in try features.catalogue.update(CatalogueChange(change), call) }
        // The merge is done in any case; the item's page shows what the fields are now.
        if case .done = changed { return done }
        return ConsoleResponse.seeOther("/console/catalogue/\(kept.lowercased)")
    }

    /// The fields of a merged item that get the value of the duplicate.
    private static func change(
        of merged: CatalogueItem, from item: CatalogueItem, taking names: [String], of duplicate: CatalogueItem
    ) -> JSONObject {
        let (merged, other) = (AdminCatalogueItem(merged).jsonObject, AdminCatalogueItem(duplicate).jsonObject)
        var change = JSONObject()
        for name in names {
            guard let value = other[name], value != merged[name] || name == "typical_amount" else { continue }
            change.set(name, value)
            if name == "typical_amount" { change.set("currency", other["currency"] ?? .null) }
            guard name == "name" else { continue }
            // The former name becomes an alias, the new one is none any more.
            let known = TextFolding.fold(duplicate.name)
            var aliases = (merged["aliases"]?.arrayValue ?? []).filter { alias in
                alias.stringValue.map(TextFolding.fold) != known
            }
            if TextFolding.fold(item.name) != known { aliases.append(.string(item.name)) }
            change.set("aliases", .array(aliases))
        }
        return change
    }

    // MARK: Import

    /// The largest file of the API, and the fields around it.
    private static let maximumFormBytes = (32 << 20) + 65_536

    /// The form, with what the one before did.
    private func importPage(_ visit: ConsoleVisit) -> ImportPage {
        guard let notice = BulkNotice(visit) else { return ImportPage() }
        guard case .imported(let report, let content, let name, let skips)? = notices.result(notice.id, for: visit)
        else {
            return ImportPage(report: ImportPage.Report(counts: notice.counts, isDryRun: notice.counts["dry_run"] == 1))
        }
        return ImportPage(report: report, content: content, fileName: name, skipsBadRows: skips)
    }

    private func importFile(_ visit: ConsoleVisit) throws -> Response {
        var limits = FormLimits()
        limits.fileBytes = 32 << 20
        // The content of a checked file comes back as a text.
        limits.valueBytes = ImportPage.maximumKeptBytes * 2
        let form = try visit.multipart(limits: limits)
        let file = form.files.first { $0.name == "file" && !$0.content.isEmpty }
        let skipsBadRows = form.texts["skip_bad"] == "true"
        guard let bytes = file?.content ?? form.texts["content"].map({ Array($0.utf8) }), !bytes.isEmpty else {
            let faults = FormFaults(detail: "Choose a file first.")
            return visit.show(ImportPage(faults: faults, skipsBadRows: skipsBadRows), .unprocessableContent)
        }
        let query = CatalogueImportQuery(isDryRun: form.texts["step"] != "import", skipsBadRows: skipsBadRows)
        let expected = query.isDryRun ? nil : try Self.expectedDigest(form.texts["checked"], of: file?.content)
        let fileName = String((file?.fileName ?? form.texts["file_name"] ?? "").prefix(200))
        let settings = "\(query.isDryRun) \(skipsBadRows) \(form.texts["checked"] ?? "")"
        return try gate.once(visit, key: form.texts["idempotency_key"] ?? "", [Array(settings.utf8), bytes]) {
            try importFile(bytes, named: fileName, query, expecting: expected, $0)
        }
    }

    /// The digest of the check that a form shows. A file that was chosen again counts as checked if it is the same; the
    /// content that a form carries always is.
    private static func expectedDigest(_ text: String?, of file: [UInt8]?) throws(HTTPFailure) -> [UInt8]? {
        guard let text else {
            guard file != nil else { throw FormShape.foreign }
            return nil
        }
        let parts = text.split(separator: ".").map { Hexadecimal.bytes($0) }
        guard parts.count == 2, let digest = parts[0], let content = parts[1], digest.count == 32, content.count == 32
        else { throw FormShape.foreign }
        return file.map { SHA256.hash(of: $0) == content } ?? true ? digest : nil
    }

    /// The text of a report's digest in a form.
    private static func checked(_ report: CatalogueImportReport, of bytes: [UInt8]) -> String? {
        report.digest.map { "\(Hexadecimal.text($0)).\(Hexadecimal.text(SHA256.hash(of: bytes)))" }
    }

    private func importFile(
        _ bytes: [UInt8], named fileName: String, _ query: CatalogueImportQuery, expecting expected: [UInt8]?,
        _ visit: ConsoleVisit
    ) throws -> Response {
        let outcome = try attempt(.importCatalogue, for: visit) { call in
            try features.catalogue.importFile(
                bytes, type: "application/octet-stream", query, expecting: expected, call)
        }
        let skips = query.skipsBadRows
        switch outcome {
        case .done(let answer):
            let report = ImportPage.Report(
                answer.report, isDryRun: query.isDryRun, checked: Self.checked(answer.report, of: bytes))
            let isKept = !answer.report.isApplied && bytes.count <= ImportPage.maximumKeptBytes
            let content = isKept ? String(validating: (try? CatalogueCSV.text(of: bytes)) ?? bytes, as: UTF8.self) : nil
            guard !answer.isRefusal else {
                let page = ImportPage(report: report, content: content, fileName: fileName, skipsBadRows: skips)
                return visit.show(page, answer.report.isStale ? .preconditionFailed : .unprocessableContent)
            }
            let kept = ConsoleNotices.Result.imported(
                report, content: content, fileName: fileName, skipsBadRows: skips)
            return ConsoleResponse.seeOther(
                notices.keep(kept, of: visit, counts: report.notice) { notice in
                    HTMLLink("console", "catalogue", "import", query: [notice])
                })
        case .refused(let faults, let status):
            return visit.show(ImportPage(faults: faults, fileName: fileName, skipsBadRows: skips), status)
        case .lostRace: throw HTTPFailure(.preconditionFailed, "The catalogue was changed meanwhile.")
        }
    }
}
