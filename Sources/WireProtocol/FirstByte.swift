/// What the first byte of a connection says it is.
package enum FirstByte: Hashable, Sendable {
    case binary, tls, text

    package init(_ byte: UInt8) {
        switch byte {
        case 0xCA: self = .binary
        case 0x16: self = .tls
        default: self = .text
        }
    }
}
