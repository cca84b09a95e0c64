extension Rule {
    /// Places on the machine of whoever wrote the file, and folders outside the repository. In pieces, so
    /// that this
    /// file does not break its own rule.
    private static let foreign = [
        "/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/", "/opt/" + "swift", "/tmp/" + "briefs", ".lib" + "rary/",
        "shared/" + "design", "shared/" + "wire", "shared/" + "style", "shared/" + "cases",
        "the shared " + "design",
    ]

    static let paths: [Rule] = [
        Rule(
            name: "no path of a machine",
            samples: foreign.map { Sample(path: "README.md", text: "\nsee \($0)a\n", line: 2) } + [
                Sample(path: "README.md", text: "see net\(foreign[0])a and a\(foreign[2])\n", line: nil)
            ],
            check: { file in
                file.lines.enumerated().flatMap { index, line in
                    foreign.filter { standsAlone($0, in: line) }.map {
                        (index + 1, "'\($0)' is a place outside this repository")
                    }
                }
            })
    ]

    /// Does the path begin here, and not go on from a word: `net/work/a` is no place on a machine.
    private static func standsAlone(_ path: String, in line: String) -> Bool {
        line.ranges(of: path).contains { range in
            guard range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !(before.isLetter || before.isNumber || before == "_")
        }
    }
}
