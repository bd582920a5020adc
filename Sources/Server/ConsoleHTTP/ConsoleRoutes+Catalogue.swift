import BackendHTTP
import Catalogue
import Console
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import JSONWire
import ServerAccess
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The list of the catalogue, items, and their forms. Changes are calls of the API.
extension ConsoleRoutes {
    private static let item = "/console/catalogue/{id:uuid}"

    func catalogueBindings() -> [RouteBinding] {
        let shown: [APIOperation] = [.adminCatalogueItem, .catalogueHistory]
        return [
            gate.get("/console/catalogue", of: [.adminCatalogue]) { try catalogueList(&$0) },
            gate.get("/console/catalogue/export", of: [.exportCatalogue]) { visit in
                try features.catalogue.export(try visit.read(CatalogueExportQuery.self), for: visit.request)
            },
            gate.page("/console/catalogue/new", of: [.createCatalogueItem]) { visit in
                let values = FormValues(["currency": "EUR", "billing_cycle": "monthly"])
                return try newItem(values, try Self.address(visit.query))
            },
            gate.action(
                "/console/catalogue/new", of: .createCatalogueItem, showing: [.adminCatalogueItem],
                form: FormShape(CatalogueForms.create, ["idempotency_key"], ofList: true), createItem),
            gate.page(Self.item, of: shown) { visit in
                try itemPage(try visit.request.parameters.uuid(), try Self.address(visit.query), visit)
            },
            gate.action(
                Self.item, of: .updateCatalogueItem, showing: shown,
                form: FormShape(CatalogueForms.edit, ["revision"], ofList: true), editItem),
            gate.page("\(Self.item)/delete", of: [.deleteCatalogueItem, .adminCatalogueItem]) { visit in
                let item = try requireItem(try visit.request.parameters.uuid())
                return SimplePage.deletion(of: item, address: try Self.address(visit.query))
            },
            gate.action(
                "\(Self.item)/delete", of: .deleteCatalogueItem, showing: [.adminCatalogueItem],
                form: FormShape(["revision"], ofList: true), deleteItem),
            gate.page("\(Self.item)/merge", of: [.mergeCatalogueItems, .adminCatalogue, .adminCatalogueItem]) { visit in
                visit.refuseLongText("item")
                return try mergeSearch(visit)
            },
            gate.page("\(Self.item)/undo", of: shown + [.undoCatalogueChange]) { try askToUndo($0) },
            gate.action(
                "\(Self.item)/undo", of: .undoCatalogueChange, showing: shown,
                form: FormShape(["idempotency_key"], optional: ["sequence", "revision"], ofList: true), undo),
            gate.action(
                "\(Self.item)/logo", of: .putCatalogueLogo, showing: shown,
                form: FormShape(["revision"], files: ["logo"], ofList: true), maximumBodyBytes: 1 << 20, putLogo),
            gate.action(
                "\(Self.item)/logo/remove", of: .deleteCatalogueLogo, showing: shown,
                form: FormShape(["revision"], ofList: true), removeLogo),
        ]
    }

    // MARK: List

    /// How many best matches a search shows at most.
    private static let bestMatches = 100

    private func catalogueList(_ visit: inout ConsoleVisit) throws -> Response {
        let isFile = visit.query.contains { $0.name == "format" && $0.value == "csv" }
        if isFile { visit.query.removeAll { $0.name == "format" } }
        let query =
            isFile
            ? try visit.read(AdminCatalogueQuery.self)
            : try visit.read(AdminCatalogueQuery.self, correcting: ["q"])
        // Only the list has parts.
        let address = ListAddress("catalogue", query: visit.query.filter { !["limit", "before"].contains($0.name) })
        let (filter, list) = (query.filter, query.filter.list)
        let view = try publisher.freshView()
        var items: [CatalogueItem]
        var next: PageCursor?
        let bestMatches = address["sort"] == nil && !isFile ? filter.text : nil
        if let text = bestMatches {
            items = Self.bestMatches(text, filter, in: view)
        } else {
            (items, next) = try view.index.list(
                matching: filter, after: isFile ? nil : query.cursor.flatMap { PageCursor($0, of: list) },
                limit: isFile ? view.items.count : query.limit)
        }
        if isFile {
            return try visit.csv(
                CatalogueCSV.write(items), "catalogue", header: "; header=present", isForOneReader: false)
        }
        let deleted = visit.notice.flatMap { $0.code == "deleted" ? $0.value.flatMap { UUID(strict: $0) } : nil }
        let page = CatalogueListPage(
            query: filter, address: address, isBestMatch: bestMatches != nil, items: items,
            count: view.index.count(matching: filter), next: next?.encoded(for: list), totals: view.totals,
            deleted: deleted)
        return visit.show(page)
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

    /// The list in the query of its page or of an item, or in the hidden fields of a form. Throws 422.
    static func address(_ query: [NamedValue]) throws(HTTPFailure) -> ListAddress {
        let others = ["cursor", "limit", "before"]
        let address = ListAddress("catalogue", query: query.filter { !others.contains($0.name) })
        _ = try ConsoleVisit.read(CatalogueListQuery.self, address.parameters)
        return address
    }

    // MARK: New item

    func categories() throws -> [String] { try publisher.freshView().totals.categories.map(\.name) }

    private func newItem(
        _ values: FormValues, _ address: ListAddress, faults: FormFaults = FormFaults(), gone: UUID? = nil
    ) throws -> SimplePage {
        .newItem(values, faults, address: address, categories: try categories(), gone: gone)
    }

    private func createItem(_ visit: ConsoleVisit) throws -> Response {
        let form = CatalogueForms.create.resolved(try visit.form())
        let address = try Self.address(ConsoleVisit.listQuery(form))
        return try submit(.createCatalogueItem, for: visit) { call in
            try features.catalogue.create(NewCatalogueItem(CatalogueForms.create.json(form)), call)
        } done: { item in
            address.link(to: item.id, more: [("notice", "created")])
        } refused: { faults in
            try newItem(FormValues(form), address, faults: faults)
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

    private func history(
        of id: UUID, _ address: ListAddress, _ visit: ConsoleVisit
    ) throws -> ItemHistory {
        let before = visit.parameter("before").flatMap { Int64($0) }
        var entries = try catalogue.history(of: id, after: before, limit: Self.historyLimit + 1)
        let hasMore = entries.count > Self.historyLimit
        if hasMore { entries.removeLast() }
        // The actor is part of the audit log, which requires its own permission.
        let namesActor = visit.mayCall(.audit)
        for index in entries.indices { entries[index].namesActor = namesActor }
        return ItemHistory(of: id, entries, hasMore: hasMore, isFirstPage: before == nil, address: address)
    }

    /// The page of an item, or of one that is gone. Throws 404 for an id that no item ever had.
    private func itemPage(
        _ id: UUID, _ address: ListAddress, _ visit: ConsoleVisit, typed: FormValues? = nil,
        faults: FormFaults = FormFaults(), logoFaults: FormFaults = FormFaults()
    ) throws -> any ConsolePage {
        let history = try history(of: id, address, visit)
        guard let item = try catalogue.find(id) else {
            let primary = try catalogue.primary(ofMerged: id).flatMap { try catalogue.find($0) }
            return SimplePage.goneItem(
                id, mergedInto: primary, address: address, history: history, faults: faults)
        }
        return CatalogueItemPage(
            item: item, values: typed ?? Self.values(item), address: address, history: history,
            categories: try categories(), faults: faults, logoFaults: logoFaults)
    }

    /// The form about an item, its id, and the list to which the form belongs.
    private func itemForm(_ visit: ConsoleVisit) throws -> (form: FormFields, id: UUID, address: ListAddress) {
        let form = CatalogueForms.edit.resolved(try visit.form())
        return (form, try visit.request.parameters.uuid(), try Self.address(ConsoleVisit.listQuery(form)))
    }

    private func editItem(_ visit: ConsoleVisit) throws -> Response {
        let (form, id, address) = try itemForm(visit)
        let saved = address.link(to: id, more: [("notice", "saved")])
        return try submit(.updateCatalogueItem, version: try AdminCall.Version(form), for: visit) { call in
            try features.catalogue.update(CatalogueChange(CatalogueForms.edit.json(form)), call)
        } done: { _ in
            saved
        } refused: { faults in
            try itemPage(id, address, visit, typed: FormValues(form), faults: faults)
        } lostRace: {
            let item = try requireItem(id)
            let (mine, present) = (FormValues(form), Self.values(item))
            // Sent twice: what was to be saved is there.
            if CatalogueForms.edit.isEqual(mine, present) { return ConsoleResponse.seeOther(saved) }
            let page = LostRacePage(
                section: .catalogue, name: item.name, form: CatalogueForms.edit, mine: mine, present: present,
                base: try base(of: id, revision: form["revision"]),
                action: HTMLLink("console", "catalogue", id.lowercased), cancel: address.link(to: id),
                hidden: [("revision", "\(item.revision)")] + address.hidden)
            return visit.show(page, .preconditionFailed)
        } gone: { _ in
            // Throws 404 for an id that no item ever had.
            _ = try catalogue.history(of: id, after: nil, limit: 1)
            let detail: Sentence = """
                The item was deleted or merged meanwhile. Nothing was saved: what you typed can be added as a new item.
                """
            let page = try newItem(FormValues(form), address, faults: FormFaults(detail: detail), gone: id)
            return visit.show(page, .notFound)
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

    private func mergeSearch(_ visit: ConsoleVisit) throws -> SimplePage {
        let item = try requireItem(try visit.request.parameters.uuid())
        let view = try publisher.freshView()
        let search = visit.parameter("item") ?? ""
        let found =
            search.isEmpty
            ? CatalogueNearest.list(
                item.name, in: view.matcher, count: 6, names: view.names, item: view.item
            ).map(\.id)
            : view.matcher.search(search, limit: 11).map(\.id)
        let others = found.filter { $0 != item.id }.compactMap { view.item($0) }
        let uses = try catalogue.uses(of: others.map(\.id))
        return .mergeSearch(
            item, address: try Self.address(visit.query.filter { $0.name != "item" }), search: search,
            candidates: others.compactMap { other in uses[other.id].map { (other, $0) } })
    }

    private func deleteItem(_ visit: ConsoleVisit) throws -> Response {
        let (form, id, address) = try itemForm(visit)
        let done = address.link([("notice", "deleted.\(id.lowercased)")])
        // Sent twice: it is deleted.
        if try catalogue.find(id) == nil,
            try catalogue.history(of: id, after: nil, limit: 1).first?.change.action
                == AuditAction.catalogueDelete.rawValue
        {
            return ConsoleResponse.seeOther(done)
        }
        return try submit(.deleteCatalogueItem, version: try AdminCall.Version(form), for: visit) { call in
            try features.catalogue.delete(call)
        } done: { _ in
            done
        } refused: { faults in
            try itemPage(id, address, visit, faults: faults)
        } lostRace: {
            let page = SimplePage.deletion(of: try requireItem(id), address: address, hasChanged: true)
            return visit.show(page, .preconditionFailed)
        }
    }

    private func askToUndo(_ visit: ConsoleVisit) throws -> SimplePage {
        let item = try requireItem(try visit.request.parameters.uuid())
        let sequence = visit.parameter("sequence").flatMap { Int64($0) }
        let entry = try sequence.flatMap { sequence in
            try catalogue.history(of: item.id, after: sequence &+ 1, limit: 1).first { $0.sequence == sequence }
        }
        guard let entry, entry.change.before != nil else { throw HTTPFailure(.notFound, "There is no such change.") }
        let address = try Self.address(visit.query.filter { $0.name != "sequence" })
        return SimplePage.undo(of: entry, item, address: address)
    }

    private func undo(_ visit: ConsoleVisit) throws -> Response {
        let (form, id, address) = try itemForm(visit)
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
        return try submit(.undoCatalogueChange, version: try AdminCall.Version(form), for: visit) { call in
            try features.catalogue.undo(CatalogueUndo(texts: sequence), call)
        } done: { _ in
            address.link(to: id, more: [("notice", isMerge ? "unmerged" : "undone")])
        } refused: { faults in
            try itemPage(id, address, visit, faults: faults)
        } lostRace: {
            visit.show(try itemPage(id, address, visit, faults: Self.changed), .preconditionFailed)
        }
    }

    private static let changed = FormFaults(detail: "The item was changed meanwhile; this is its present state.")

    // MARK: Logo

    private func putLogo(_ visit: ConsoleVisit) throws -> Response {
        let form = try visit.multipart()
        guard let file = form.files.first(where: { $0.name == "logo" && !$0.content.isEmpty }) else {
            let faults = FormFaults(detail: "Choose an image file first.")
            let address = try Self.address(ConsoleVisit.listQuery(form.texts))
            let page = try itemPage(try visit.request.parameters.uuid(), address, visit, logoFaults: faults)
            return visit.show(page, .unprocessableContent)
        }
        return try changeLogo(.putCatalogueLogo, form.texts, notice: "logo", visit) { call in
            try features.catalogue.putLogo(file.content, call)
        } isDone: {
            Self.holds($0, file.content)
        }
    }

    /// Whether the item has this logo already, as after a form that was sent twice.
    private static func holds(_ item: CatalogueItem, _ content: [UInt8]) -> Bool {
        guard let image = try? ImageFile(content) else { return false }
        return item.logoURL == LogoFile(image).path
    }

    private func removeLogo(_ visit: ConsoleVisit) throws -> Response {
        try changeLogo(
            .deleteCatalogueLogo, try visit.form(), notice: "logo_removed", visit, features.catalogue.removeLogo
        ) { $0.logoURL == nil }
    }

    private func changeLogo(
        _ operation: APIOperation, _ form: FormFields, notice: String, _ visit: ConsoleVisit,
        _ change: (AdminCall) throws -> CatalogueItem, isDone: (CatalogueItem) -> Bool
    ) throws -> Response {
        let id = try visit.request.parameters.uuid()
        let address = try Self.address(ConsoleVisit.listQuery(form))
        let done = address.link(to: id, more: [("notice", notice)])
        return try submit(operation, version: try AdminCall.Version(form), for: visit, change) { _ in
            done
        } refused: { faults in
            try itemPage(id, address, visit, logoFaults: faults)
        } lostRace: {
            if isDone(try requireItem(id)) { return ConsoleResponse.seeOther(done) }
            return visit.show(try itemPage(id, address, visit, logoFaults: Self.changed), .preconditionFailed)
        }
    }
}
