import HTTPServer
import HTTPTypes
import JSONWire
import PageAssets
import Pages
import TextCoding

/// Responses of the app.
enum AppResponse {
    private static let responses = PageResponses(also: ["manifest-src 'self'"])

    static func page(_ html: [UInt8], _ status: HTTPResponse.Status = .ok, cookies: [String] = []) -> Response {
        responses.page(html, status, cookies: cookies)
    }

    /// The page that takes the code. What the browser's cache has for this origin is forgotten: a process that had the
    /// port while the app was away may have left pages there, for addresses of the app.
    static func entrance(_ html: [UInt8]) -> Response {
        var response = page(html)
        if let name = HTTPField.Name("Clear-Site-Data") { response.fields[name] = "\"cache\"" }
        return response
    }

    /// 303: the browser continues with a GET, so that reloading sends nothing again.
    static func seeOther(_ location: String, cookies: [String] = []) -> Response {
        responses.seeOther(location, cookies: cookies)
    }

    /// 307: the browser sends the same form there.
    static func sendAgain(_ location: String, cookies: [String]) -> Response {
        var response = responses.seeOther(location, cookies: cookies)
        response.status = .temporaryRedirect
        return response
    }

    static func asset(_ asset: PageAsset) -> Response {
        var response = responses.response(.bytes(asset.content), asset.contentType)
        response.fields[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }

    static func download(_ bytes: [UInt8], named name: String, type: String = "application/json") -> Response {
        var response = responses.response(.bytes(bytes), type)
        response.fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        return response
    }

    /// A receipt, in which no script runs: it has an origin of its own, without rights.
    static func receipt(_ bytes: [UInt8], named name: String, type: String, isDownload: Bool) -> Response {
        var response = responses.response(.bytes(bytes), type)
        response.fields[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        let plain = String(name.unicodeScalars.map { isPlain($0) ? Character($0) : "_" })
        let place = isDownload ? "attachment" : "inline"
        response.fields[.contentDisposition] =
            "\(place); filename=\"\(plain)\"; filename*=UTF-8''\(PercentCoding.encode(name))"
        return response
    }

    /// A logo, whose name in the address is the hash of its content.
    static func logo(_ bytes: [UInt8], type: String) -> Response {
        var response = responses.response(.bytes(bytes), type)
        response.fields[.cacheControl] = "private, max-age=31536000, immutable"
        response.fields[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return response
    }

    /// Whether a character may stand in a quoted name; others are in the encoded one (RFC 6266).
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "\\" && scalar != "%"
    }

    /// A calendar for a program that refreshes it; 304 without its text, for one that has it already.
    static func calendar(_ text: String?, tag: String) -> Response {
        var response = responses.response(
            text.map { .bytes(Array($0.utf8)) } ?? .none, "text/calendar; charset=utf-8",
            text == nil ? .notModified : .ok)
        response.fields[.cacheControl] = "private, no-cache"
        response.fields[.eTag] = tag
        response.fields[.contentDisposition] = "attachment; filename=\"subguard.ics\""
        response.fields[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        // The address is a secret.
        if let name = HTTPField.Name("Referrer-Policy") { response.fields[name] = "no-referrer" }
        return response
    }

    /// A file without data.
    static func file(_ bytes: [UInt8], type: String) -> Response {
        var response = responses.response(.bytes(bytes), type)
        response.fields[.cacheControl] = "no-cache"
        return response
    }

    static func events(_ source: any ChunkSource) -> Response {
        responses.response(.chunks(source), "text/event-stream")
    }

    static func json(_ values: [JSONValue]) -> Response {
        responses.response(.bytes(JSONValue.array(values).serialized()), "application/json")
    }

    static func text(_ text: String, _ status: HTTPResponse.Status) -> Response {
        responses.response(.bytes(Array((text + "\n").utf8)), "text/plain; charset=utf-8", status)
    }
}
