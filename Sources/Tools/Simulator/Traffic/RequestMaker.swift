/// A request as sent.
struct MadeRequest {
    /// Head and body.
    var bytes: [UInt8] = []
    /// Nil for a catalogue read.
    var batch: MadeBatch?
}

/// Makes the requests of one thread.
struct RequestMaker {
    /// Reads of a page, and typical searches.
    private static let reads = [
        "/api/v1/catalogue?limit=100", "/api/v1/catalogue/search?q=net&limit=10",
        "/api/v1/catalogue?limit=50&category=streaming", "/api/v1/catalogue/search?q=spotfy&limit=10",
    ]

    private let profile: LoadPlan.Profile
    private let batchHead: [UInt8]
    private let readRequests: [[UInt8]]
    private var batches: BatchMaker
    private var made = 0
    private var spares: [MadeRequest] = []

    init(_ plan: LoadPlan, thread: Int, now: Int64) {
        profile = plan.profile
        batches = BatchMaker(plan, thread: thread, now: now)
        let common = "Host: \(plan.target.authority)\r\nUser-Agent: subguardd-load\r\n"
        readRequests = Self.reads.map { Array("GET \($0) HTTP/1.1\r\n\(common)\r\n".utf8) }
        batchHead = Array(
            "POST /api/v1/analytics HTTP/1.1\r\n\(common)Content-Type: application/json\r\nContent-Length: ".utf8)
    }

    /// `now` in milliseconds since 1970.
    mutating func make(now: Int64) -> MadeRequest {
        made += 1
        let isRead = profile == .catalogue || profile == .mixed && made.isMultiple(of: 2)
        var request = spares.popLast() ?? MadeRequest()
        request.bytes.removeAll(keepingCapacity: true)
        if isRead {
            request.batch = nil
            request.bytes.append(contentsOf: readRequests[made / 2 % readRequests.count])
            return request
        }
        // Moved out of the request, so that its memory is uniquely referenced and reused.
        let spare = request.batch.take() ?? MadeBatch()
        let batch = batches.make(now: now, spare: spare)
        request.bytes.append(contentsOf: batchHead)
        request.bytes.append(contentsOf: "\(batch.body.count)\r\n".utf8)
        if batch.isCompressed { request.bytes.append(contentsOf: "Content-Encoding: gzip\r\n".utf8) }
        request.bytes.append(contentsOf: "\r\n".utf8)
        request.bytes.append(contentsOf: batch.body)
        request.batch = batch
        return request
    }

    /// Releases a finished request; `isTaken` if the server has accepted its batch.
    mutating func finish(_ request: MadeRequest, isTaken: Bool) {
        if isTaken, let batch = request.batch { batches.remember(batch) }
        spares.append(request)
    }
}
