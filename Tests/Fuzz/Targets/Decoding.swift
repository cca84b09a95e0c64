import WireProtocol

/// What came of a piece of a stream.
enum Decoded<Value: Hashable>: Hashable {
    case value(Value)
    case fault(ErrorCode)
}

/// Any of the decoders of a stream.
protocol StreamDecoder {
    associatedtype Value: Hashable
    init()
    mutating func next(in input: inout ArraySlice<UInt8>) throws(ProtocolViolation) -> Value?
}

extension FrameDecoder: StreamDecoder {}
extension LineDecoder: StreamDecoder {}
extension ServerLineDecoder: StreamDecoder {}

extension StreamDecoder {
    /// All that comes of a stream in pieces of at most this many bytes, up to a fault that closes it.
    static func decode(_ bytes: ArraySlice<UInt8>, pieces: Int) -> [Decoded<Value>] {
        var decoder = Self()
        var found: [Decoded<Value>] = []
        var rest = bytes
        while !rest.isEmpty {
            var piece = rest.prefix(pieces)
            rest = rest.dropFirst(pieces)
            while true {
                do throws(ProtocolViolation) {
                    guard let value = try decoder.next(in: &piece) else { break }
                    found.append(.value(value))
                } catch {
                    found.append(.fault(error.code))
                    if error.code.closesConnection { return found }
                }
            }
        }
        return found
    }

    /// The first byte says how the others are cut; however that is, the same must come of them.
    static func decodeTwice(_ input: [UInt8]) -> (found: [Decoded<Value>], finding: String?) {
        guard let size = input.first else { return ([], nil) }
        let whole = Self.decode(input.dropFirst(), pieces: .max)
        let cut = Self.decode(input.dropFirst(), pieces: Int(size) + 1)
        return (
            whole, whole == cut ? nil : "whole it is \(whole), in pieces of \(Int(size) + 1) it is \(cut)"
        )
    }
}
