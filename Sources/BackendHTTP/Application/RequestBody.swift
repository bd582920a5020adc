import HTTPServer
import HTTPWire
import JSONWire
import SubGuardAPI

/// Reading of JSON bodies: coding and syntax. ``HeadRules`` has checked the media type.
enum RequestBody {
    /// The bytes of a JSON body, coding undone. Throws 413, 415.
    static func jsonBytes(_ request: Request, maximumBytes: Int) throws(HTTPFailure) -> [UInt8] {
        try ContentCoding.decodedBody(of: request, maximumBytes: maximumBytes)
    }

    /// A JSON body that must be an object. Throws 400, 413, 415, 422.
    static func object(_ request: Request, maximumBytes: Int) throws(HTTPFailure) -> JSONObject {
        let bytes = try jsonBytes(request, maximumBytes: maximumBytes)
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes)
        } catch {
            throw HTTPFailure(.malformedJSON, error.description)
        }
        guard let object = value.objectValue else {
            throw HTTPFailure.invalid("#", "wrong_type", "The body must be an object.")
        }
        return object
    }
}
