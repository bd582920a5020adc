import HTTPWire

/// Where a handler that works on after returning leaves its answer. Call it once, from any thread; a second answer, or
/// one for a client that has gone, is dropped.
package struct Reply: Sendable {
    let mailbox: LoopMailbox
    let ticket: ReplyTicket
    let application: any HTTPApplication
    let request: Request
    let client: ClientAccount
    let answers: AnswerBudget
    /// The request's body is counted as long as a handler can read it, also when its connection has gone.
    let body: HeldBody?

    package func callAsFunction(_ result: Result<Response, any Error>) {
        var response: Response
        switch result {
        case .success(let answer): response = answer
        case .failure(let error): response = application.response(for: error, request: request)
        }
        application.finish(&response, for: request)
        guard case .bytes(let body) = response.body, body.count >= AnswerBudget.largeBytes, request.method != .head
        else { return mailbox.post(.reply(ticket, response, nil)) }
        // Counted from here on, because workers may make large answers faster than a loop sends them.
        do throws(MemoryShortage) {
            mailbox.post(.reply(ticket, response, try answers.hold(body, for: client)))
        } catch {
            mailbox.post(.lacksMemory(ticket, error))
        }
    }
}

/// Which request of which connection an answer is for. Descriptors are reused, so the generation tells an old
/// connection from a new one.
struct ReplyTicket: Sendable, Equatable {
    let descriptor: Int32
    let generation: UInt64
    let request: UInt64
}
