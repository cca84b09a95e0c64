extension ErrorCode {
    /// Whether the stream behind this error can't be trusted any more, so that the connection is closed.
    package var closesConnection: Bool {
        switch self {
        case .frameTooLong, .badLength, .lineTooLong, .version: true
        default: false
        }
    }
}
