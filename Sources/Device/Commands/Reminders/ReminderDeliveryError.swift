/// Why reminders were not delivered. They are told by the next run.
indirect enum ReminderDeliveryError: Error, CustomStringConvertible {
    case failed(count: Int, of: Int, reason: ReminderDeliveryError)
    case cannotStart(String, reason: String)
    case exited(String, status: Int32)
    case stopped(String, seconds: Int)
    /// A variable of the mail server that is missing or invalid.
    case unset(String)
    case invalid(String)
    case unavailable
    case refused(String)
    /// The connection ended before the server had taken the message.
    case unconfirmed(String)
    case unreachable(String)
    case busy

    var description: String {
        switch self {
        case .failed(let count, let all, let reason):
            switch all {
            case 0: "\(reason)"
            case 1: "the reminder was not delivered: \(reason)"
            default: "\(count) of \(all) reminders not delivered: \(reason)"
            }
        case .cannotStart(let program, let reason): "cannot start \(program): \(reason)"
        case .exited(let program, let status): "\(program) exited with status \(status)"
        case .stopped(let program, let seconds): "\(program) was stopped after \(seconds) seconds"
        case .unset(let variable): "\(variable) is not set"
        case .invalid(let variable): "\(variable) is invalid"
        case .unavailable: "mail is not available on this system"
        case .refused(let reason): "the mail server refused the message: \(reason)"
        case .unconfirmed(let reason): "the mail server did not confirm the message: \(reason)"
        case .unreachable(let reason): "the mail server cannot be reached: \(reason)"
        case .busy: "another remind is running"
        }
    }

    /// A stable code for scripts.
    var code: String {
        if case .busy = self { return "busy" }
        return "not_delivered"
    }
}
