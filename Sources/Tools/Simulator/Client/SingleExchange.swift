import Glibc

/// One request on a connection of its own, waited for.
enum SingleExchange {
    static func answer(
        to request: [UInt8], _ address: NetworkAddress, timeout: Duration
    ) throws(LoadError) -> Answer {
        let connection = LoadConnection()
        let readiness = try Readiness()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer {
            _ = connection.close(now: 0)
            readiness.close()
            buffer.deallocate()
        }
        let start = LoadClock.now()
        guard connection.open(address, now: start) else { throw .noAnswer(.connect) }
        readiness.add(connection.descriptor, number: 0, writing: true)
        var result: Result<Answer, LoadConnection.Failure>?
        while result == nil, LoadClock.now() - start < timeout.nanoseconds {
            readiness.wait(nanoseconds: 100_000_000) { _, isReadable, isWritable in
                do throws(LoadConnection.Failure) {
                    if isWritable { try connection.write() }
                    if connection.isIdle {
                        try connection.send(MadeRequest(bytes: request), dueAt: start, now: LoadClock.now())
                    }
                    readiness.change(connection.descriptor, number: 0, writing: connection.wantsToWrite)
                    if isReadable, let (_, answer) = try connection.read(buffer) { result = .success(answer) }
                } catch { result = .failure(error) }
            }
        }
        switch result {
        case .success(let answer): return answer
        case .failure(.fault(let fault)): throw .noAnswer(fault)
        case nil: throw .noAnswer(.timeout)
        }
    }
}
