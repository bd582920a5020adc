import Backend
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The list of the catalogue, items, and their forms. Changes are calls of the API.
extension ConsoleRoutes {
    func catalogueBindings() -> [RouteBinding] {
        [
            gate.page("/console/catalogue", of: [.adminCatalogue]) { visit in try catalogueList(visit) },
            gate.page("/console/catalogue/export", of: [.exportCatalogue]) { visit in
                try features.catalogue.export(try visit.read(CatalogueExportQuery.self), for: visit.request)
            },
            gate.page("/console/catalogue/new", of: [.createCatalogueItem]) { visit in
                let values = FormValues(["currency": "EUR", "billing_cycle": "monthly"])
                return ConsoleResponse.page(try newItem(values, try Self.address(visit.query), visit))
            },
            gate.action(
                "/console/catalogue/new", of: .createCatalogueItem, showing: [.adminCatalogueItem],
                form: FormShape(CatalogueForms.create, ["idempotency_key"], ofList: true)
            ) { visit in try createItem(visit) },
            gate.page("/console/catalogue/{id:uuid}", of: [.adminCatalogueItem, .catalogueHistory]) { visit in
                try showItem(visit)
            },
            gate.action(
                "/console/catalogue/{id:uuid}", of: .updateCatalogueItem,
                showing: [.adminCatalogueItem, .catalogueHistory],
                form: FormShape(CatalogueForms.edit, ["revision"], ofList: true)
            ) { visit in try editItem(visit) },
            gate.page("/console/catalogue/{id:uuid}/delete", of: [.deleteCatalogueItem, .adminCatalogueItem]) { visit in
                let item = try requireItem(try visit.request.parameters.uuid())
                let page = DeleteItemPage(item: item, address: try Self.address(visit.query), hasChanged: false)
                return ConsoleResponse.page(page.page(visit.frame))
            },
            gate.action(
                "/console/catalogue/{id:uuid}/delete", of: .deleteCatalogueItem, showing: [.adminCatalogueItem],
                form: FormShape(["revision"], ofList: true)
            ) { visit in try deleteItem(visit) },
            gate.page(
                "/console/catalogue/{id:uuid}/merge", of: [.mergeCatalogueItems, .adminCatalogue, .adminCatalogueItem]
            ) { visit in
                var visit = visit
                visit.refuseLongText("item")
                return ConsoleResponse.page(try mergeSearch(visit).page(visit.frame), visit.status)
            },
            gate.page(
                "/console/catalogue/{id:uuid}/undo",
                of: [.adminCatalogueItem, .catalogueHistory, .undoCatalogueChange]
            ) { visit in try askToUndo(visit) },
            gate.action(
                "/console/catalogue/{id:uuid}/undo", of: .undoCatalogueChange,
                showing: [.adminCatalogueItem, .catalogueHistory],
                form: FormShape(["idempotency_key"], optional: ["sequence", "revision"], ofList: true)
            ) { visit in try undo(visit) },
            gate.action(
                "/console/catalogue/{id:uuid}/logo", of: .putCatalogueLogo,
                showing: [.adminCatalogueItem, .catalogueHistory],
                form: FormShape(["revision"], files: ["logo"], ofList: true), maximumBodyBytes: 1 << 20
            ) { visit in try putLogo(visit) },
            gate.action(
                "/console/catalogue/{id:uuid}/logo/remove", of: .deleteCatalogueLogo,
                showing: [.adminCatalogueItem, .catalogueHistory], form: FormShape(["revision"], ofList: true)
            ) { visit in try removeLogo(visit) },
        ]
    }

    // MARK: List

    /// How many best matches a search shows at most.
    private static let bestMatches = 100

    private func catalogueList(_ visit: ConsoleVisit) throws -> Response {
        var visit = visit
        let isFile = visit.query.contains { $0.name == "format" && $0.value == "csv" }
        if isFile { visit.query.removeAll { $0.name == "format" } }
        let query =
            isFile
            ? try visit.read(AdminCatalogueQuery.self)
            : try visit.read(AdminCatalogueQuery.self, correcting: ["q"])
        let address = try Self.address(visit.query)
        let (filter, list) = (query.filter, query.filter.list)
        let view = try publisher.freshView()
        var items: [CatalogueItem]
        var next: PageCursor?
        if let text = filter.text, address.isBestMatch {
            items = Self.bestMatches(text, filter, in: view)
        } else {
            (items, next) = try view.index.list(
                matching: filter, after: isFile ? nil : query.cursor.flatMap { PageCursor($0, of: list) },
                limit: isFile ? view.items.count : query.limit)
        }
        if isFile {
            return try RenderedDocument(
                body: CatalogueCSV.write(items), contentType: "text/csv; charset=utf-8; header=present",
                more: [("Content-Disposition", "attachment; filename=\"catalogue.csv\"")]
            ).response(for: visit.request)
        }
        let deleted = visit.notice.flatMap { $0.code == "deleted" ? $0.value.flatMap { UUID(strict: $0) } : nil }
        let page = CatalogueListPage(
            address: address, items: items, count: view.index.count(matching: filter),
            next: next?.encoded(for: list), isFirstPage: query.cursor == nil,
            totals: view.totals, mayEdit: visit.mayCall(.updateCatalogueItem),
            deleted: deleted, idempotencyKey: UUID().uuidString.lowercased())
        return ConsoleResponse.page(page.page(visit.frame), visit.status)
    }

    /// The search of devices, which forgives typos, then what contains the text otherwise, as in a slug.
    private static func bestMatches(
        _ text: String, _ filter: CatalogueListQuery, in view: CatalogueView
    ) -> [CatalogueItem] {
        var items = view.matcher.search(text, limit: 500).compactMap { view.item($0.id) }.filter(filter.accepts)
        let known = Set(items.map(\.id))
        let others = (try? view.index.list(matching: filter, after: nil, limit: bestMatches))?.items ?? []
        items += others.filter { !known.contains($0.id) }
        return Array(items.prefix(bestMatches))
    }

    /// The filters in the query of a list or an item. Throws 422.
    static func address(_ query: [(name: String, value: String)]) throws(HTTPFailure) -> CatalogueAddress {
        let own = ["cursor", "limit", "before", "format"]
        let parameters = query.filter { !own.contains($0.name) }
        let filter: CatalogueListQuery
        do throws(FaultList) {
            filter = try CatalogueListQuery(texts: parameters)
        } catch { throw .invalid(error) }
        let isBestMatch = filter.text != nil && !parameters.contains { $0.name == "sort" }
        return CatalogueAddress(filter, isBestMatch: isBestMatch)
    }

    // MARK: New item

    func categories() throws -> [String] { try publisher.freshView().totals.categories.map(\.name) }

    private func newItem(
        _ values: FormValues, _ address: CatalogueAddress, _ visit: ConsoleVisit, faults: FormFaults = FormFaults()
    ) throws -> [UInt8] {
        NewItemPage(
            values: values, faults: faults, address: address, categories: try categories(),
            idempotencyKey: UUID().uuidString.lowercased()
        ).page(visit.frame)
    }

    private func createItem(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let address = try Self.address(ConsoleVisit.listQuery(form))
        let outcome = try attempt(.createCatalogueItem, for: visit) { call in
            try features.catalogue.create(NewCatalogueItem(CatalogueForms.create.json(form)), call)
        }
        switch outcome {
        case .done(let item):
            return ConsoleResponse.seeOther(address.link(to: item.id, more: [("notice", "created")]).text)
        case .refused(let faults, let status):
            return ConsoleResponse.page(try newItem(FormValues(form), address, visit, faults: faults), status)
        case .lostRace: throw HTTPFailure(.preconditionFailed, "The item was changed meanwhile.")
        }
    }

    // MARK: Item

    static func values(_ item: CatalogueItem) -> FormValues {
        FormValues(AdminCatalogueItem(item).jsonObject)
    }

    func requireItem(_ id: UUID) throws -> CatalogueItem {
        guard let item = try catalogue.find(id) else { throw HTTPFailure(.notFound, "There is no such item.") }
        return item
    }

    private static let historyLimit = 20

    private func history(of id: UUID, _ visit: ConsoleVisit) throws -> CatalogueItemPage.History {
        let before = visit.query.first { $0.name == "before" }.flatMap { Int64($0.value) }
        var entries = try catalogue.history(of: id, after: before, limit: Self.historyLimit + 1)
        let hasMore = entries.count > Self.historyLimit
        if hasMore { entries.removeLast() }
        // The actor is part of the audit log, which requires its own permission.
        let namesActor = visit.mayCall(.audit)
        for index in entries.indices { entries[index].namesActor = namesActor }
        return CatalogueItemPage.History(entries: entries, hasMore: hasMore, isFirstPage: before == nil)
    }

    private func showItem(_ visit: ConsoleVisit) throws -> Response {
        let id = try visit.request.parameters.uuid()
        return ConsoleResponse.page(
            try itemPage(id, try Self.address(visit.query), visit, notice: visit.notice?.code))
    }

    /// The page of an item, or of one that is gone. Throws 404 for an id that no item ever had.
    private func itemPage(
        _ id: UUID, _ address: CatalogueAddress, _ visit: ConsoleVisit, notice: String? = nil,
        typed: FormValues? = nil, faults: FormFaults = FormFaults(), logoFaults: FormFaults = FormFaults()
    ) throws -> [UInt8] {
        let history = try history(of: id, visit)
        let mayEdit = visit.mayCall(.updateCatalogueItem)
        let key = UUID().uuidString.lowercased()
        guard let item = try catalogue.find(id) else {
            let primary = try catalogue.primary(ofMerged: id).flatMap { try catalogue.find($0) }
            return GoneItemPage(
                id: id, primary: primary, address: address, history: history, mayEdit: mayEdit, idempotencyKey: key,
                faults: faults
            ).page(visit.frame)
        }
        return CatalogueItemPage(
            item: item, values: typed ?? Self.values(item), address: address, history: history,
            categories: try categories(), mayEdit: mayEdit, idempotencyKey: key,
            notice: notice.flatMap { CatalogueItemPage.Notice(rawValue: $0) }, faults: faults, logoFaults: logoFaults
        ).page(visit.frame)
    }

    private func editItem(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let id = try visit.request.parameters.uuid()
        let address = try Self.address(ConsoleVisit.listQuery(form))
        let saved = ConsoleResponse.seeOther(address.link(to: id, more: [("notice", "saved")]).text)
        let outcome: FormOutcome<CatalogueItem>
        do {
            outcome = try attempt(.updateCatalogueItem, version: try AdminCall.Version(form), for: visit) { call in
                try features.catalogue.update(CatalogueChange(CatalogueForms.edit.json(form)), call)
            }
        } catch let error where HTTPFailure(error)?.code == .notFound {
            // Throws 404 for an id that no item ever had.
            _ = try catalogue.history(of: id, after: nil, limit: 1)
            let detail: Sentence =
                "The item was deleted or merged meanwhile. Nothing was saved: what you typed can be added as a new item."
            let page = NewItemPage(
                values: FormValues(form), faults: FormFaults(detail: detail), address: address,
                categories: try categories(), idempotencyKey: UUID().uuidString.lowercased(), gone: id)
            return ConsoleResponse.page(page.page(visit.frame), .notFound)
        }
        switch outcome {
        case .done: return saved
        case .refused(let faults, let status):
            return ConsoleResponse.page(
                try itemPage(id, address, visit, typed: FormValues(form), faults: faults), status)
        case .lostRace:
            let item = try requireItem(id)
            let (mine, present) = (FormValues(form), Self.values(item))
            // Sent twice: what was to be saved is there.
            if CatalogueForms.edit.isEqual(mine, present) { return saved }
            let page = LostRacePage(
                section: .catalogue, name: item.name, form: CatalogueForms.edit, mine: mine, present: present,
                base: try base(of: id, revision: form["revision"]),
                action: HTMLLink("console", "catalogue", id.lowercased), cancel: address.link(to: id),
                hidden: [("revision", "\(item.revision)")] + address.parameters.map { ("list_\($0.name)", $0.value) })
            return ConsoleResponse.page(page.page(visit.frame), .preconditionFailed)
        }
    }

    /// The item as it was at a revision, from the history.
    private func base(of id: UUID, revision: String?) throws -> FormValues? {
        guard let revision = revision.flatMap({ Int64($0) }) else { return nil }
        return try catalogue.history(of: id, after: nil, limit: 50).lazy
            .compactMap { $0.change.after.flatMap { (try? JSONValue.parse(Array($0.utf8)))?.objectValue } }
            .first { $0["revision"]?.integerValue == revision }.map { FormValues($0) }
    }

    // MARK: Merge, delete and undo

    private func mergeSearch(_ visit: ConsoleVisit) throws -> MergeSearchPage {
        let item = try requireItem(try visit.request.parameters.uuid())
        let view = try publisher.freshView()
        let search = visit.query.last { $0.name == "item" }?.value ?? ""
        let found =
            search.isEmpty
            ? CatalogueNearest.list(item.name, in: view.matcher, count: 6, item: view.item).map(\.id)
            : view.matcher.search(search, limit: 11).map(\.id)
        let others = found.filter { $0 != item.id }.compactMap { view.item($0) }
        let uses = try catalogue.uses(of: others.map(\.id))
        return MergeSearchPage(
            item: item, address: try Self.address(visit.query.filter { $0.name != "item" }), search: search,
            candidates: others.compactMap { other in uses[other.id].map { MergeSearchPage.Candidate(other, $0) } })
    }

    private func deleteItem(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let id = try visit.request.parameters.uuid()
        let address = try Self.address(ConsoleVisit.listQuery(form))
        let done = ConsoleResponse.seeOther(address.link(more: [("notice", "deleted.\(id.lowercased)")]).text)
        // Sent twice: it is deleted.
        if try catalogue.find(id) == nil,
            try catalogue.history(of: id, after: nil, limit: 1).first?.change.action
                == AuditAction.catalogueDelete.rawValue
        {
            return done
        }
        switch try attempt(
            .deleteCatalogueItem, version: try AdminCall.Version(form), for: visit, features.catalogue.delete)
        {
        case .done: return done
        case .refused(let faults, let status):
            return ConsoleResponse.page(try itemPage(id, address, visit, faults: faults), status)
        case .lostRace:
            let page = DeleteItemPage(item: try requireItem(id), address: address, hasChanged: true)
            return ConsoleResponse.page(page.page(visit.frame), .preconditionFailed)
        }
    }

    private func askToUndo(_ visit: ConsoleVisit) throws -> Response {
        let item = try requireItem(try visit.request.parameters.uuid())
        let sequence = visit.query.first { $0.name == "sequence" }.flatMap { Int64($0.value) }
        let entry = try sequence.flatMap { sequence in
            try catalogue.history(of: item.id, after: sequence &+ 1, limit: 1).first { $0.sequence == sequence }
        }
        guard let entry, entry.change.before != nil else { throw HTTPFailure(.notFound, "There is no such change.") }
        let page = UndoItemPage(
            item: item, entry: entry, address: try Self.address(visit.query.filter { $0.name != "sequence" }),
            idempotencyKey: UUID().uuidString.lowercased())
        return ConsoleResponse.page(page.page(visit.frame))
    }

    private func undo(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let id = try visit.request.parameters.uuid()
        let address = try Self.address(ConsoleVisit.listQuery(form))
        let given = form["sequence"].flatMap { Int64($0) }
        let changes = try catalogue.history(of: id, after: given.map { $0 &+ 1 }, limit: 1)
        // Without a revision, only an item that is gone is restored. Sent again, it is back.
        if form["revision"] == nil, try catalogue.find(id) != nil {
            let latest = try catalogue.history(of: id, after: nil, limit: 1).first?.change.action
            guard latest == AuditAction.catalogueUndo.rawValue else {
                throw HTTPFailure(
                    .validationFailed, "The form lacks the field revision. Open its page again and send it from there.")
            }
        }
        let merges = [AuditAction.catalogueMerge.rawValue, AuditAction.catalogueMerged.rawValue]
        let isMerge = changes.first.map { merges.contains($0.change.action) } ?? false
        let sequence = form.fields.filter { $0.name == "sequence" }.map { (name: $0.name, value: $0.value) }
        let outcome = try attempt(.undoCatalogueChange, version: try AdminCall.Version(form), for: visit) { call in
            try features.catalogue.undo(CatalogueUndo(texts: sequence), call)
        }
        switch outcome {
        case .done:
            return ConsoleResponse.seeOther(
                address.link(to: id, more: [("notice", isMerge ? "unmerged" : "undone")]).text)
        case .refused(let faults, let status):
            return ConsoleResponse.page(try itemPage(id, address, visit, faults: faults), status)
        case .lostRace:
            let faults = FormFaults(detail: "The item was changed meanwhile; this is its present state.")
            return ConsoleResponse.page(try itemPage(id, address, visit, faults: faults), .preconditionFailed)
        }
    }

    // MARK: Logo

    private func putLogo(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.multipart()
        let id = try visit.request.parameters.uuid()
        let address = try Self.address(ConsoleVisit.listQuery(form.texts))
        guard let file = form.files.first(where: { $0.name == "logo" && !$0.content.isEmpty }) else {
            let faults = FormFaults(detail: "Choose an image file first.")
            return ConsoleResponse.page(
                try itemPage(id, address, visit, logoFaults: faults), .unprocessableContent)
        }
        return try logoAnswer(
            try attempt(.putCatalogueLogo, version: try AdminCall.Version(form.texts), for: visit) { call in
                try features.catalogue.putLogo(file.content, call)
            },
            of: id, notice: "logo", address, visit
        ) { Self.holds($0, file.content) }
    }

    /// Whether the item has this logo already, as after a form that was sent twice.
    private static func holds(_ item: CatalogueItem, _ content: [UInt8]) -> Bool {
        guard let image = try? ImageFile(content) else { return false }
        return item.logoURL == LogoFile(image).path
    }

    private func removeLogo(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.form()
        let id = try visit.request.parameters.uuid()
        let address = try Self.address(ConsoleVisit.listQuery(form))
        return try logoAnswer(
            try attempt(
                .deleteCatalogueLogo, version: try AdminCall.Version(form), for: visit, features.catalogue.removeLogo),
            of: id, notice: "logo_removed", address, visit
        ) { $0.logoURL == nil }
    }

    private func logoAnswer(
        _ outcome: FormOutcome<CatalogueItem>, of id: UUID, notice: String, _ address: CatalogueAddress,
        _ visit: ConsoleVisit, isDone: (CatalogueItem) -> Bool
    ) throws -> Response {
        let done = ConsoleResponse.seeOther(address.link(to: id, more: [("notice", notice)]).text)
        switch outcome {
        case .done: return done
        case .refused(let faults, let status):
            return ConsoleResponse.page(try itemPage(id, address, visit, logoFaults: faults), status)
        case .lostRace:
            if isDone(try requireItem(id)) { return done }
            let faults = FormFaults(detail: "The item was changed meanwhile; this is its present state.")
            return ConsoleResponse.page(try itemPage(id, address, visit, logoFaults: faults), .preconditionFailed)
        }
    }
}
