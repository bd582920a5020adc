import HTTPServer
import HTTPTypes
import PageAssets
import Pages

/// Responses of the app.
enum AppResponse {
    private static let responses = PageResponses(also: ["manifest-src 'self'"])

    static func page(_ html: [UInt8], _ status: HTTPResponse.Status = .ok, cookies: [String] = []) -> Response {
        responses.page(html, status, cookies: cookies)
    }

    /// 303: the browser continues with a GET, so that reloading sends nothing again.
    static func seeOther(_ location: String, cookies: [String] = []) -> Response {
        responses.seeOther(location, cookies: cookies)
    }

    static func asset(_ asset: PageAsset) -> Response {
        var response = responses.response(.bytes(asset.content), asset.contentType)
        response.fields[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }

    static func download(
        _ bytes: [UInt8], named name: String, type: String = "application/json"
    ) -> Response {
        var response = responses.response(.bytes(bytes), type)
        response.fields[.contentDisposition] = "attachment; filename=\"\(name)\""
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

    static func text(_ text: String, _ status: HTTPResponse.Status) -> Response {
        responses.response(.bytes(Array((text + "\n").utf8)), "text/plain; charset=utf-8", status)
    }
}
