import Backend
import HTTPServer
import HTTPTypes
import ServerContract
import SubGuardContract
import SubGuardDomain

extension AdminCatalogueRoutes {
    func logoBindings() -> [RouteBinding] {
        [
            gate.binding(.putCatalogueLogo, maximumBodyBytes: ImageFile.limitBytes - 1) { request, actor in
                try putLogo(request, actor)
            },
            gate.binding(.deleteCatalogueLogo) { request, actor in
                try store.setLogo(
                    nil, in: logos, of: try request.parameters.uuid(), ifRevision: try matchedRevision(request),
                    by: actor)
                try publisher.refresh()
                return Response(status: .noContent)
            },
        ]
    }

    /// The body is the image. Its content determines the format; the declared image type is ignored.
    private func putLogo(_ request: Request, _ actor: Actor) throws -> Response {
        let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: ImageFile.limitBytes - 1)
        let image = try Self.image(bytes)
        let revision = try matchedRevision(request)
        let id = try request.parameters.uuid()
        // Checked before the file is written, so that a mistyped id leaves no stray file.
        guard try store.find(id) != nil else { throw HTTPFailure(.notFound, "There is no such item.") }
        let file = LogoFile(image)
        return try changed(try store.setLogo(file, in: logos, of: id, ifRevision: revision, by: actor), request)
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
