/// One thing that takes bytes from outside. A new one is a type in a file of its own, and a line in
/// `FuzzTargets.all`.
package protocol FuzzTarget {
    /// Its name on command lines, and of its folder in `Tests/Fuzz/Corpus`.
    static var name: String { get }

    /// Takes one input, whatever it is.
    /// - Returns: what was wrong with how it was taken; nil when nothing was.
    static func run(_ input: [UInt8]) -> String?
}

package enum FuzzTargets {
    package static var all: [any FuzzTarget.Type] {
        [
            ClientFrames.self, ClientLines.self, ServerFrames.self, ServerLines.self, ClientScript.self,
            ServerScript.self, ProxyHeaders.self, RecordForms.self,
        ]
    }

    package static func named(_ name: String) -> (any FuzzTarget.Type)? { self.all.first { $0.name == name } }
}
