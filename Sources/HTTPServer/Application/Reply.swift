/// Where a handler that works on after returning leaves its answer. Call it once, from any thread; a second answer, or
/// one for a client that has gone, is dropped.
package struct Reply: Sendable {
    let mailbox: LoopMailbox
    let ticket: ReplyTicket
    let application: any HTTPApplication
    let request: Request

    package func callAsFunction(_ result: Result<Response, any Error>) {
        var response: Response
        switch result {
        case .success(let answer): response = answer
        case .failure(let error): response = application.response(for: error, request: request)
        }
        application.finish(&response, for: request)
        mailbox.post(.reply(ticket, response))
    }
}

/// Which request of which connection an answer is for. Descriptors are reused, so the generation tells an old
/// connection from a new one.
struct ReplyTicket: Sendable, Equatable {
    let descriptor: Int32
    let generation: UInt64
    let request: UInt64
}
