package import HTTPServer
package import HTTPTypes

/// Responses for browsers, with the fields that each of them has: only files of this server, no inline code or style,
/// no frames, forms only to this server, and nothing that is kept in a cache.
package struct PageResponses: Sendable {
    private let contentSecurityPolicy: String

    /// - Parameter directives: further ones of the content security policy, such as `manifest-src 'self'`.
    package init(also directives: [String] = []) {
        let all =
            ["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"]
            + directives + ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"]
        contentSecurityPolicy = all.joined(separator: "; ")
    }

    package func page(_ html: [UInt8], _ status: HTTPResponse.Status = .ok, cookies: [String] = []) -> Response {
        response(.bytes(html), "text/html; charset=utf-8", status, cookies: cookies)
    }

    /// 303: the browser continues with a GET, so that reloading sends nothing again.
    package func seeOther(_ location: String, cookies: [String] = []) -> Response {
        var response = Response(status: .seeOther, body: .bytes([]))
        response.fields = fields(cookies)
        response.fields[.location] = location
        return response
    }

    /// Any other content, with these fields.
    package func response(
        _ body: ResponseBody, _ mediaType: String, _ status: HTTPResponse.Status = .ok, cookies: [String] = []
    ) -> Response {
        var response = Response(status: status, body: body)
        response.fields = fields(cookies)
        response.fields[.contentType] = mediaType
        return response
    }

    private func fields(_ cookies: [String]) -> HTTPFields {
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
