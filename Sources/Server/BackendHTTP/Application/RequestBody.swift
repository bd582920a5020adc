import HTTPServer
import HTTPWire
import JSONWire
import SubGuardContract
import SubGuardDomain

/// Reads JSON bodies: content coding and syntax. ``HeadRules`` has checked the media type.
enum RequestBody {
    /// Maximum number of values in a body that is parsed into a tree. The largest body of our clients, a list of roles,
    /// has about 600.
    private static let maximumValues = 20_000

    /// Parses a small JSON body, which must be an object, into a tree. Throws 400, 413, 415, 422.
    static func object(_ request: Request, maximumBytes: Int) throws(HTTPFailure) -> JSONObject {
        try object(in: try ContentCoding.decodedBody(of: request, maximumBytes: maximumBytes))
    }

    static func object(in bytes: [UInt8]) throws(HTTPFailure) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(bytes, maximumValues: maximumValues)
        } catch {
            throw HTTPFailure(error)
        }
        guard let object = value.objectValue else {
            throw HTTPFailure.invalid("#", .invalidType, "The body must be an object.")
        }
        return object
    }
}
