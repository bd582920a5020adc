package import HTML
package import HTTPServer
package import HTTPTypes
package import HTTPWire
import TextCoding

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

/// A cookie with the path `/` that pages on other ports of the host can set too, with other paths: cookies belong to a
/// host with all its ports. A request then has several of one name.
package struct HostCookie: Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }

    /// All values in a request, which the size of its head bounds.
    package func values(_ head: RequestHead) -> [String] {
        // By octets: cookies of others may have any letters, which cost much more to compare.
        head.values(of: .cookie).flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            let trimmed = pair.drop { $0 == UInt8(ascii: " ") }
            guard let mark = trimmed.firstIndex(of: UInt8(ascii: "=")), trimmed[..<mark].elementsEqual(name.utf8) else {
                return nil
            }
            return String(Substring(trimmed[trimmed.index(after: mark)...]))
        }
    }

    /// The other paths that the further cookies of a request may have: those of its path and of the folders above.
    /// Empty for a request with one cookie of the name, which has the path `/`.
    package func strayPaths(_ head: RequestHead) -> [String] {
        guard values(head).count > 1 else { return [] }
        var paths: [String] = []
        var path = ""
        for byte in head.withPath({ Array($0) }).prefix(Self.longestPath) {
            guard PercentCoding.isUnreserved(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") else {
                break
            }
            if byte == UInt8(ascii: "/"), !path.isEmpty { paths += [path, path + "/"] }
            path.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return (paths + [path]).filter { $0 != "/" && !$0.isEmpty }
    }

    private static let longestPath = 200
}

/// Reads the form of a request.
package enum SubmittedForm {
    /// Why a body is no form.
    package enum Refusal: Error {
        /// Not `application/x-www-form-urlencoded`.
        case mediaType
        case compressed
        case malformed(FormError)
    }

    /// The fields of a form. An empty body is one without fields.
    package static func read(_ request: Request) throws(Refusal) -> FormFields {
        let type = request.head.value(of: .contentType)?.split(separator: ";").first.map { $0.filter { $0 != " " } }
        guard type?.lowercased() == "application/x-www-form-urlencoded" || request.body.isEmpty else {
            throw .mediaType
        }
        guard !request.head.contains(.contentEncoding) else { throw .compressed }
        do throws(FormError) {
            return try FormFields(urlencoded: request.body)
        } catch {
            throw .malformed(error)
        }
    }
}
