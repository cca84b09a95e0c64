/// Somebody whom the operator keeps out. A plain value, to be kept beyond the process.
package struct Ban: Hashable, Sendable {
    package enum Subject: Hashable, Sendable, CustomStringConvertible {
        /// An address is a range of one.
        case range(NetworkRange)
        case player(PlayerID)

        /// As an operator writes it: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32` or, a player, `#17`. Nil
        /// for anything else.
        package init?(_ text: String) {
            if text.utf8.first == UInt8(ascii: "#") {
                let digits = text.dropFirst()
                guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                    let id = UInt64(digits), id > 0
                else { return nil }
                self = .player(PlayerID(id))
            } else {
                guard let range = NetworkRange(text) else { return nil }
                self = .range(range)
            }
        }

        package var description: String {
            switch self {
            case .range(let range): range.description
            case .player(let id): "#\(id.value)"
            }
        }
    }

    package let subject: Subject
    /// The first moment at which it holds no more; nil: it holds for good.
    package let until: WallTime?
    /// For the banned and for operators; may be empty.
    package let reason: String
    package let made: WallTime
    /// When a ban was made that stands in the settings: it lasts as long as it stands there.
    package static let bySetting = WallTime(seconds: 0)

    /// - Parameter reason: is cut at `Limits.banReasonBytes`.
    package init(subject: Subject, until: WallTime?, reason: String, made: WallTime) {
        self.subject = subject
        self.until = until
        self.reason = Self.cut(reason)
        self.made = made
    }

    package static func cut(_ reason: String) -> String {
        var cut = ""
        for character in reason.unicodeScalars {
            guard cut.utf8.count + UTF8.width(character) <= Limits.banReasonBytes else { break }
            cut.unicodeScalars.append(character)
        }
        return cut
    }

    package func holds(at time: WallTime) -> Bool { self.until.map { time < $0 } ?? true }

    package func outlasts(_ other: Ban) -> Bool {
        guard let until = self.until else { return other.until != nil }
        return other.until.map { $0 < until } ?? false
    }

    /// What the banned are told.
    package var text: String {
        let who =
            switch self.subject {
            case .range: "your address is banned"
            case .player: "you are banned"
            }
        let term = self.until.map { "until \($0)" } ?? "for good"
        return "\(who) \(term)" + (self.reason.isEmpty ? "" : ", because: \(self.reason)")
    }
}

extension NetworkRange {
    /// A range with fewer in front is more than anybody means to keep out.
    package static let fewestBanBits = 8

    /// Whether a ban of it is most likely a slip: it is that wide, or has all of IPv4 in it, as `::/0` and `::` have.
    package var isTooWideToBan: Bool {
        if self.first.isIPv4, self.bits >= 96 { return Int(self.bits) - 96 < Self.fewestBanBits }
        return self.bits < Self.fewestBanBits || self.contains(NetworkAddress(ipv4: 0))
    }
}

/// A change of the bans, for whoever keeps them beyond the process.
package enum BanChange: Hashable, Sendable {
    /// In place of an older one of the same subject.
    case set(Ban)
    case lifted(Ban.Subject)

    package var subject: Ban.Subject {
        switch self {
        case .set(let ban): ban.subject
        case .lifted(let subject): subject
        }
    }
}
