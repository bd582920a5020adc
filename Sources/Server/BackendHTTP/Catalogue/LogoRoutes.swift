import Catalogue
import HTTPServer
import HTTPTypes
import HTTPWire
import ServerContract
import SubGuardContract
import SubGuardDomain
import Synchronization

/// `GET /logos/{file}`: a name always identifies the same content, so clients may cache responses permanently.
struct LogoRoutes: Sendable {
    private let contents: any LogoContents
    private let kept = KeptLogos()

    init(contents: any LogoContents) { self.contents = contents }

    func bindings() -> [RouteBinding] {
        [
            RouteBinding(
                .logo,
                .remembered(
                    { request in
                        guard !request.head.contains(.ifMatch), let name = try? request.parameters.text() else {
                            return nil
                        }
                        return try? kept.document(name)?.response(for: request)
                    },
                    otherwise: .blocking { request in
                        try document(try request.parameters.text()).response(for: request)
                    }))
        ]
    }

    private func document(_ name: String) throws -> RenderedDocument {
        guard let format = LogoFile.format(ofName: name), let bytes = try contents.read(name) else {
            throw HTTPFailure.notFound
        }
        let document = RenderedDocument(
            body: bytes, contentType: format.mediaType, cacheControl: "public, max-age=31536000, immutable",
            more: [("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "default-src 'none'; sandbox")],
            isCodable: false)
        kept.keep(document, name, bytes: bytes.count)
        return document
    }
}

/// Cache of recently requested logos with a size limit.
private final class KeptLogos: Sendable {
    private struct State {
        var documents: [String: RenderedDocument] = [:]
        var bytes = 0
    }

    private static let maximumBytes = 32 << 20
    private let state = Mutex(State())

    func document(_ name: String) -> RenderedDocument? { state.withLock { $0.documents[name] } }

    func keep(_ document: RenderedDocument, _ name: String, bytes: Int) {
        state.withLock { state in
            if state.bytes + bytes > Self.maximumBytes { state = State() }
            guard state.documents.updateValue(document, forKey: name) == nil else { return }
            state.bytes += bytes
        }
    }
}
