import ProxyProtocol

/// What begins a connection on the proxies' port: the first byte of the input says how the rest is cut.
package enum ProxyHeaders: FuzzTarget {
    package static let name = "proxy-headers"

    package static func run(_ input: [UInt8]) -> String? {
        guard let first = input.first else { return nil }
        let bytes = input.dropFirst()
        let whole = Self.read(bytes, pieces: .max)
        let cut = Self.read(bytes, pieces: Int(first) + 1)
        guard whole.outcome == cut.outcome, whole.used == cut.used else {
            return "in one piece \(whole), in pieces of \(Int(first) + 1) \(cut)"
        }
        return nil
    }

    private enum Outcome: Hashable {
        case more
        case header(ProxyHeader)
        case fault(ProxyFault)
    }

    private static func read(_ bytes: ArraySlice<UInt8>, pieces: Int) -> (outcome: Outcome, used: Int) {
        var decoder = ProxyHeaderDecoder()
        var rest = bytes
        var used = 0
        while !rest.isEmpty {
            var piece = rest.prefix(pieces)
            let count = piece.count
            rest = rest.dropFirst(count)
            do throws(ProxyFault) {
                let header = try decoder.next(in: &piece)
                used += count - piece.count
                if let header { return (.header(header), used) }
            } catch { return (.fault(error), 0) }
        }
        return (.more, used)
    }
}
