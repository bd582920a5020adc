import ArgumentParser
import Foundation
import JSONWire
import SubGuardClient
import SubGuardContract
import SubGuardDomain
import SubGuardEngine

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Looks for a service in the catalogue on this device.",
        discussion: """
            A copy of the catalogue is used for 24 hours without asking the server. An older one is used at once, and the \
            server is asked behind the answer.
            """)

    @Argument(help: "What has been typed of its name.") var text: String
    @Option(help: "How many at most.") var limit = 10
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard (1...500).contains(limit) else { throw ValidationError("--limit must lie between 1 and 500") }
    }

    func run() async throws {
        try await Session.online(options) { session in
            let server = try session.server(retries: .once, timeout: .seconds(5))
            let copy = try session.store.catalogue.copy()
            guard let copy else {
                try await session.fetchCatalogue()
                return session.print(try session.store.catalogue.search(text, limit: limit))
            }
            let isOther = server.map { $0.address.text != copy.server } ?? false
            session.print(try session.store.catalogue.search(text, limit: limit))
            guard isOther || !copy.isFresh(at: session.moment.now) else { return }
            StandardStream.error(session.note(of: copy, isOther: isOther) + "\n")
            if let server { await session.revalidateCatalogue(server) }
        }
    }
}

struct LogoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logo", abstract: "Prints the file with a service's logo, fetched when it is not here yet.")

    @Argument(help: "An item of the catalogue, by slug or id.") var item: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Session.online(options) { session in
            guard let logo = try session.catalogueItem(item, field: "item").logoURL else {
                throw DeviceStoreError.invalid(
                    Fault("item", .notFound, session.text("This item has no logo.", "ce service n'a pas de logo")))
            }
            let cache = LogoCache(folder: session.store.path + ".logos")
            let file: String
            if let here = cache.file(logo) {
                file = here
            } else {
                file = try await cache.fetch(logo, from: try session.requireServer())
            }
            session.print(object: { $0.field("file", file) }, text: { file })
        }
    }
}

extension Session {
    /// How long the work behind a search may take.
    private static let patience = Duration.seconds(10)

    /// The first copy, without which there is nothing to look in.
    fileprivate func fetchCatalogue() async throws {
        let report = await synchroniser(try requireServer()).revalidateCatalogue(at: moment)
        if let error = report.parts.first?.error { throw error }
    }

    /// Asks behind the answer. What goes wrong is noted for `status` and told to nobody now.
    fileprivate func revalidateCatalogue(_ server: ServerConnection) async {
        _ = await synchroniser(server).revalidateCatalogue(limit: Self.patience, at: moment)
    }

    fileprivate func print(_ hits: [CatalogueHit]) {
        emit { writer in
            writer.beginArray()
            for hit in hits {
                hit.item.write(
                    to: &writer, more: [("score", .number("\(hit.score)")), ("matched", .string(hit.matched))])
            }
            writer.endArray()
        } text: {
            guard !hits.isEmpty else {
                return text("Nothing found: subguard suggest NAME", "Rien trouvé : subguard suggest NOM")
            }
            var table = TextTable([
                ("slug", .left), (text("name", "nom"), .left), (text("amount", "montant"), .right),
                (text("cycle", "cycle"), .left), (text("category", "catégorie"), .left),
            ])
            for hit in hits {
                table.add([
                    .init(hit.item.slug, .grey), .init(hit.item.name), .init(money(hit.item.typicalAmount)),
                    .init(hit.item.billingCycle.displayName(language)), .init(hit.item.category),
                ])
            }
            return table.text(style)
        }
    }
}

struct SuggestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Suggests a service that the catalogue lacks, with the next sync.",
        discussion: "The name leaves this device, and nothing else does.")

    @Argument(help: "Its name.") var name: String
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.write(options) { session in
            let id = try session.store.suggestions.add(name, at: session.moment)
            session.print(id: id) { _ in }
        }
    }
}

extension Session {
    /// What is to be known of a copy of the catalogue that was used although it is stale, or of another server than the
    /// one that was named.
    func note(of copy: CatalogueCopy, isOther: Bool) -> String {
        let age = age(seconds: copy.ageSeconds(at: moment.now))
        if isOther {
            let ago = age.map { text("\($0) ago", "il y a \($0)") } ?? text("just now", "à l'instant")
            return text(
                "note: the catalogue here was fetched \(ago) from another server, \(copy.server)",
                "note : le catalogue d'ici est venu \(ago) d'un autre serveur, \(copy.server)")
        }
        return age.map { text("note: the catalogue here is \($0) old", "note : le catalogue d'ici a \($0)") }
            ?? text("note: the catalogue here was fetched just now", "note : le catalogue d'ici vient d'arriver")
    }

    /// In the largest unit of which there are enough to tell; nil for less than a minute.
    private func age(seconds: Int64) -> String? {
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        func count(_ number: Int64, _ english: String, _ french: String) -> String {
            "\(number) " + text(english, french) + (number == 1 ? "" : "s")
        }
        if minutes == 0 { return nil }
        if hours == 0 { return count(minutes, "minute", "minute") }
        return hours < 48 ? count(hours, "hour", "heure") : count(hours / 24, "day", "jour")
    }
}
