import RaceModel

// Fields of binary frames, big-endian, byte by byte.
extension [UInt8] {
    mutating func appendU16(_ value: UInt16) {
        self.append(UInt8(truncatingIfNeeded: value >> 8))
        self.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func appendU32(_ value: UInt32) {
        self.append(UInt8(truncatingIfNeeded: value >> 24))
        self.append(UInt8(truncatingIfNeeded: value >> 16))
        self.append(UInt8(truncatingIfNeeded: value >> 8))
        self.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func appendU64(_ value: UInt64) {
        self.appendU32(UInt32(truncatingIfNeeded: value >> 32))
        self.appendU32(UInt32(truncatingIfNeeded: value))
    }

    mutating func appendFlag(_ value: Bool) { self.append(value ? 1 : 0) }

    mutating func appendBytes32(_ value: Bytes32) {
        self.appendU64(value.words.0)
        self.appendU64(value.words.1)
        self.appendU64(value.words.2)
        self.appendU64(value.words.3)
    }

    mutating func appendKey(_ key: PlayerKey?) {
        guard let key else { return self.append(0) }
        self.append(16)
        self.appendU64(key.high)
        self.appendU64(key.low)
    }

    /// A length byte and the text, cut to at most `limit` bytes of whole scalars.
    mutating func appendString(_ text: String, limit: Int) {
        let kept = text.cut(to: limit)
        self.append(UInt8(truncatingIfNeeded: kept.utf8.count))
        self.append(contentsOf: kept.utf8)
    }

    mutating func appendAlias(_ alias: Alias) { self.appendString(alias.text, limit: Limits.aliasBytes) }

    mutating func appendSettings(_ settings: RaceSettings) {
        self.append(settings.rule.rawValue)
        self.append(settings.draw.rawValue)
        self.appendU32(settings.finish)
    }

    mutating func appendRequest(_ request: RaceRequest) {
        self.append(request.minimum)
        self.append(request.maximum)
        self.appendSettings(request.settings)
        self.appendU32(request.group)
        self.append(request.bots)
    }

    /// The head of a frame whose body is `body` bytes long.
    mutating func appendFrameHead(type: UInt8, body: Int) {
        self.appendU16(UInt16(truncatingIfNeeded: body &+ 1))
        self.append(type)
    }

    /// Writes the length of the frame that begins at `start` and ends here.
    mutating func setFrameLength(at start: Int) {
        let length = self.count - start - 2
        precondition(length >= 1 && length <= Limits.frameBytes, "a frame over the limit was encoded")
        self[start] = UInt8(truncatingIfNeeded: length >> 8)
        self[start + 1] = UInt8(truncatingIfNeeded: length)
    }
}

extension String {
    /// At most `limit` bytes of UTF-8, never half a scalar.
    package func cut(to limit: Int) -> Substring {
        let bytes = self.utf8
        guard bytes.count > limit else { return self[...] }
        var end = bytes.index(bytes.startIndex, offsetBy: limit)
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        return self[..<end]
    }
}
