/// The commands that a text tells people to type, and those that the Makefile knows.
enum Commands {
    /// Targets of `make` that a text in Markdown names, in code spans and in code blocks, with their lines
    /// from 1.
    static func makeTargets(named text: String) -> [(line: Int, target: String)] {
        var found: [(line: Int, target: String)] = []
        var isInBlock = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isInBlock.toggle()
                continue
            }
            let commands =
                isInBlock
                ? line.matches(of: #/(?:^|[;&|$]|sudo)\s*make\s+([a-z][a-z-]*)/#).map(\.1)
                : line.matches(of: #/`(?:sudo )?make\s+([a-z][a-z-]*)/#).map(\.1)
            found += commands.map { (index + 1, String($0)) }
        }
        return found
    }

    static func targets(ofMakefile text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").compactMap {
                $0.prefixMatch(of: #/([a-z][a-z-]*):(?!=)/#).map { String($0.1) }
            })
    }
}
