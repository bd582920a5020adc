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
                let bytes = try ContentCoding.decodedBody(of: request, maximumBytes: ImageFile.limitBytes - 1)
                return try Self.item.response(try putLogo(bytes, AdminCall(request, by: actor)), request)
            },
            gate.binding(.deleteCatalogueLogo, .empty) { call in _ = try removeLogo(call) },
        ]
    }

    /// Sets a logo. The content of the image determines its format, not a declared type.
    func putLogo(_ bytes: [UInt8], _ call: AdminCall) throws -> CatalogueItem {
        let image = try Self.image(bytes)
        let revision = try revision(call)
        // Checked before the file is written, so that a mistyped id leaves no stray file.
        guard try store.find(try call.id()) != nil else { throw HTTPFailure(.notFound, "There is no such item.") }
        return try published(
            try store.setLogo(
                LogoFile(image), in: logos, of: try call.id(), ifRevision: revision, by: call.actor))
    }

    func removeLogo(_ call: AdminCall) throws -> CatalogueItem {
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
