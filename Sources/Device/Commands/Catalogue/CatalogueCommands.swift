import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardClient
import SubGuardContract
import SubGuardDomain
import SubGuardEngine

struct SearchCommand: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search the catalogue.",
        discussion: """
            Searches the local copy of the catalogue. A copy older than 24 hours still answers, and is updated from \
            the server afterwards. Without a server, the catalogue built into the program answers.
            """)

    @Argument(help: "Name of the service, or the beginning of it; one typo is forgiven.") var text: String
    @Option(help: "Maximum number of results, 1 to 500.") var limit = 10
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try require((1...500).contains(limit), "--limit must be from 1 to 500")
    }

    func run(_ session: Session) async throws {
        let server = try session.server(retries: .once, timeout: .seconds(5))
        let copy = try session.store.catalogue.copy()
        guard let copy else {
            // Without an answer, the one built in is searched.
            if let server, let error = await session.revalidateCatalogue(server) {
                StandardStream.error(error.displayText(session.language) + "\n")
            }
            let starter = try session.store.catalogue.starter()
            session.print(try session.store.catalogue.search(text, limit: limit), of: starter)
            if let starter { session.noteOrigin(of: starter) }
            return
        }
        let isOther = server.map { $0.address.text != copy.server } ?? false
        session.print(try session.store.catalogue.search(text, limit: limit))
        guard isOther || !copy.isUpToDate(at: session.moment.now) else { return }
        StandardStream.error(session.note(of: copy, isOther: isOther) + "\n")
        if let server { await session.revalidateCatalogue(server) }
    }
}

/// A match in the catalogue built into the program.
private struct StarterMatch: WireObject {
    let match: CatalogueMatch
    /// The day of the catalogue.
    let day: CalendarDay

    static let wire = WireSchema<StarterMatch>(nil) {
        Field(flattening: \.match)
        Field("source", { _ in "built_in" }, .constant("built_in"))
        Field("as_of", \.day, .day)
    }
}

struct LogoCommand: OnlineCommand {
    static let configuration = CommandConfiguration(
        commandName: "logo", abstract: "Print the path of a service's logo; download it if needed.")

    @Argument(help: "Slug or id of a catalogue item.") var item: String
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) async throws {
        guard let logo = try session.catalogueItem(item, field: "item").logoURL else {
            throw Fault("item", .notFound, "This item has no logo.")
        }
        let cache = LogoCache(beside: session.store)
        let file: String
        if let here = cache.file(logo) {
            file = here
        } else {
            file = try await cache.fetch(logo, from: try session.requireServer())
        }
        session.print(object: { $0.field("file", file) }, text: { file })
    }
}

extension Session {
    /// Limit for updating the catalogue after a search.
    private static let timeout = Duration.seconds(10)

    /// Updates a stale catalogue, or downloads the first one. Errors are recorded for `status`, and returned.
    @discardableResult
    fileprivate func revalidateCatalogue(_ server: ServerConnection) async -> ClientError? {
        await synchroniser(server).revalidateCatalogue(limit: Self.timeout, at: moment).parts.first?.error
    }

    /// - Parameter starter: where the hits come from, if not from a server.
    fileprivate func print(_ hits: [CatalogueHit], of starter: StarterCatalogue? = nil) {
        emit { writer in
            writer.beginArray()
            for hit in hits {
                let match = CatalogueMatch(item: hit.item, score: hit.score, matched: hit.matched)
                guard let starter else {
                    match.write(to: &writer)
                    continue
                }
                StarterMatch(match: match, day: starter.day).write(to: &writer)
            }
            writer.endArray()
        } text: {
            guard !hits.isEmpty else {
                return text("No results. To suggest a service: subguard suggest NAME")
            }
            var table = TextTable([
                (text("slug"), .left), (text("name"), .left), (text("amount"), .right),
                (text("cycle"), .left), (text("category"), .left),
            ])
            for hit in hits {
                table.add([
                    .init(hit.item.slug, .grey), .init(hit.item.name), .init(money(hit.item.typicalAmount)),
                    .init(hit.item.billingCycle.displayName(language)),
                    .init((try? SubscriptionCategory(hit.item.category))?.displayName(language) ?? hit.item.category),
                ])
            }
            return table.text(style)
        }
    }
}

struct SuggestCommand: WriteCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest", abstract: "Suggest a service for the catalogue; sent at the next sync.",
        discussion: "Only the name is sent.")

    @Argument(help: "Name of the service.") var name: String
    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let id = try session.store.suggestions.add(name, at: session.moment)
        session.print(id: id) { _ in }
    }
}

extension Session {
    /// `note: the catalogue is the one built into the program, dated 21 Nov 2026`.
    func noteOrigin(of starter: StarterCatalogue) {
        note("the catalogue is \(text("the one built into the program, dated \(day(starter.day))"))")
    }

    /// A note that the local copy of the catalogue is stale, or comes from another server than the one given.
    func note(of copy: CatalogueCopy, isOther: Bool) -> String {
        let age = text(age(seconds: copy.ageSeconds(at: moment.now)))
        return isOther
            ? text("note: the local catalogue is from another server, \(copy.server), last checked \(age)")
            : text("note: the local catalogue was last checked \(age)")
    }

    /// In the largest unit that gives a useful number.
    private func age(seconds: Int64) -> Sentence {
        let (minutes, hours, days) = (Int(seconds / 60), Int(seconds / 3600), Int(seconds / 86_400))
        if minutes == 0 { return "just now" }
        if hours == 0 { return "\(minutes) minute ago|\(minutes) minutes ago" }
        return hours < 48 ? "\(hours) hour ago|\(hours) hours ago" : "\(days) day ago|\(days) days ago"
    }
}
