import HTTPServer
import HTTPTypes
import PageAssets

/// Responses of the app, with the fields that every one has.
enum AppResponse {
    /// Only files of this server, no inline code or style, no frames, forms only to this server.
    private static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static func page(_ html: [UInt8], _ status: HTTPResponse.Status = .ok, cookies: [String] = []) -> Response {
        var response = Response(status: status, body: .bytes(html))
        response.fields = fields(cookies)
        response.fields[.contentType] = "text/html; charset=utf-8"
        return response
    }

    /// 303: the browser continues with a GET, so that reloading sends nothing again.
    static func seeOther(_ location: String, cookies: [String] = []) -> Response {
        var response = Response(status: .seeOther, body: .bytes([]))
        response.fields = fields(cookies)
        response.fields[.location] = location
        return response
    }

    static func asset(_ asset: PageAsset) -> Response {
        var response = Response(status: .ok, body: .bytes(asset.content))
        response.fields = fields([])
        response.fields[.contentType] = asset.contentType
        response.fields[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }

    static func download(_ bytes: [UInt8], named name: String) -> Response {
        var response = Response(status: .ok, body: .bytes(bytes))
        response.fields = fields([])
        response.fields[.contentType] = "application/json"
        response.fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        return response
    }

    static func events(_ source: any ChunkSource) -> Response {
        var response = Response(status: .ok, body: .chunks(source))
        response.fields = fields([])
        response.fields[.contentType] = "text/event-stream"
        return response
    }

    static func text(_ text: String, _ status: HTTPResponse.Status) -> Response {
        var response = Response(status: status, body: .bytes(Array((text + "\n").utf8)))
        response.fields = fields([])
        response.fields[.contentType] = "text/plain; charset=utf-8"
        return response
    }

    private static func fields(_ cookies: [String]) -> HTTPFields {
        var fields: HTTPFields = [
            .cacheControl: "no-store", .contentSecurityPolicy: contentSecurityPolicy, .xContentTypeOptions: "nosniff",
        ]
        for (name, value) in [
            ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        ] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        return fields
    }
}
