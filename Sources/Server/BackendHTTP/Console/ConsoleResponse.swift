import HTML
import HTTPServer
import HTTPTypes
import Pages

/// Responses of the console.
enum ConsoleResponse {
    private static let responses = PageResponses()

    static func page(
        _ html: [UInt8], _ status: HTTPResponse.Status = .ok, cookies: [String] = []
    ) -> Response {
        responses.page(html, status, cookies: cookies)
    }

    static func seeOther(_ link: HTMLLink) -> Response { seeOther(link.text) }

    /// 429: a page that says how long to wait.
    static func tooMany(_ html: [UInt8], seconds: Int) -> Response {
        var response = page(html, .tooManyRequests)
        response.fields[.retryAfter] = "\(seconds)"
        return response
    }

    /// 303: the browser continues with a GET, so that reloading sends nothing again.
    static func seeOther(_ location: String, cookies: [String] = []) -> Response {
        responses.seeOther(location, cookies: cookies)
    }
}
