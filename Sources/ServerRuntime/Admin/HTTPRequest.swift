/// The head of one request of HTTP/1: all that an answer to a scraper or a health check depends on.
struct HTTPRequest: Hashable, Sendable {
    enum Reading: Hashable, Sendable {
        /// More bytes are to come.
        case incomplete
        case request(HTTPRequest)
        /// The status to answer with, and one sentence.
        case malformed(status: Int, String)
    }

    var method: String
    /// Without a query.
    var path: String

    /// A longer head is refused.
    static let mostBytes = 4096

    static func read(_ bytes: [UInt8]) -> Reading {
        guard let end = Self.endOfHead(bytes) else {
            return bytes.count < Self.mostBytes
                ? .incomplete
                : .malformed(status: 431, "the head of a request is at most \(Self.mostBytes) bytes")
        }
        let line = bytes[..<end].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, line.allSatisfy({ (0x20...0x7E).contains($0) }),
            words[2].starts(with: Array("HTTP/1.".utf8)), words[1].first == UInt8(ascii: "/")
        else { return .malformed(status: 400, "a request begins `GET /path HTTP/1.1`") }
        let path = words[1].prefix { $0 != UInt8(ascii: "?") }
        return .request(
            HTTPRequest(
                method: String(decoding: words[0], as: UTF8.self), path: String(decoding: path, as: UTF8.self)
            ))
    }

    /// Behind the first empty line; line ends are CR LF or LF.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        var lineIsEmpty = false
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"):
                if lineIsEmpty { return index + 1 }
                lineIsEmpty = true
            case UInt8(ascii: "\r"): break
            default: lineIsEmpty = false
            }
        }
        return nil
    }
}

/// An answer; the connection is closed behind it.
struct HTTPResponse: Hashable, Sendable {
    var status: Int
    var type = "text/plain; charset=utf-8"
    var body: String

    func bytes(withBody: Bool) -> [UInt8] {
        let reason =
            switch self.status {
            case 200: "OK"
            case 400: "Bad Request"
            case 404: "Not Found"
            case 405: "Method Not Allowed"
            case 431: "Request Header Fields Too Large"
            default: "Service Unavailable"
            }
        var head = "HTTP/1.1 \(self.status) \(reason)\r\nContent-Type: \(self.type)\r\n"
        head += "Content-Length: \(self.body.utf8.count)\r\nCache-Control: no-store\r\nConnection: close\r\n"
        if self.status == 405 { head += "Allow: GET, HEAD\r\n" }
        return Array((head + "\r\n" + (withBody ? self.body : "")).utf8)
    }
}
