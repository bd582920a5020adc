import Foundation
import HTML
import HTTPServer
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// What stands beside the names of services: logos of the catalogue that a sync has fetched, or letters. No page makes
/// the program contact a server.
struct ServiceMarks {
    private let cache: LogoCache
    /// By subscription.
    private let marks: [UUID: (category: String, logo: String?)]

    init(_ visit: AppVisit) throws {
        cache = visit.context.logos
        marks = try visit.answer("marks") { try visit.store.catalogue.marks() }
    }

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.answer("/logos/{file}") { visit in
                let file = try visit.request.parameters.text()
                guard let logo = visit.context.logos.image("/logos/" + file) else { throw AppRefusal.notFound }
                return AppResponse.logo(logo.bytes, type: logo.format.mediaType)
            }
        ]
    }

    /// Decorative: the name stands beside it.
    func write(_ subscription: UUID, named name: String, to html: inout HTMLWriter) {
        let mark = marks[subscription]
        write(mark?.logo, CatalogueMark(name: name, category: mark?.category ?? "other"), to: &html)
    }

    /// Decorative: the name stands beside it.
    func write(_ item: CatalogueItem, to html: inout HTMLWriter) {
        write(item.logoURL, CatalogueMark(name: item.name, category: item.category), to: &html)
    }

    private func write(_ logo: String?, _ mark: CatalogueMark, to html: inout HTMLWriter) {
        guard let logo, cache.byteCount(logo) != nil, let name = LogoCache.name(logo) else {
            return LetterMark(letters: mark.initials, colour: mark.colour).write(to: &html)
        }
        html.add(
            .img, .class("logo"), .source(HTMLLink("logos", name)), .alt(""), .width(pixels: 36), .height(pixels: 36),
            .lazy)
    }
}
