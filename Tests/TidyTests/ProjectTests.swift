import Foundation
import Testing

struct ProjectTests {
    @Test func `the top level has only the agreed entries`() throws {
        #expect(Repository.strangers(in: try Repository.paths()) == [])
        #expect(
            Repository.strangers(in: ["Sources/A/A.swift", "notes.txt", ".ci/run", "Tool/a", "README.md"])
                == ["Tool", "notes.txt"])
    }

    @Test func `every command that the readme names is there`() throws {
        let makefile = try #require(Repository.text(of: "Makefile"))
        let targets = Commands.targets(ofMakefile: makefile)
        #expect(targets.isSuperset(of: ["run", "test", "lint", "rootfs"]))
        for path in try Repository.paths() where path.hasSuffix(".md") {
            for (line, target) in Commands.makeTargets(named: Repository.text(of: path) ?? "") {
                #expect(targets.contains(target), "\(path):\(line): the Makefile has no target '\(target)'")
            }
        }
    }

    @Test func `commands are found in spans and blocks, and not in prose`() {
        let text =
            "To make tea, `make run ARGS=a`.\n```\n$ make test && make lint\nto make more\n```\nmake up\n"
        let found = Commands.makeTargets(named: text)
        #expect(found.map(\.line) == [1, 3, 3])
        #expect(found.map(\.target) == ["run", "test", "lint"])
        #expect(Commands.targets(ofMakefile: "A := b\nrun: build ## c\n\techo a: b\nx:=1\n") == ["run"])
    }

    /// Goal: the programs start fast and need little. Method: the loader's own list, everything indirect
    /// included; this
    /// test bundle links Foundation itself, which shows that the list would tell.
    @Test func `no program links Foundation`() throws {
        let bundle = try Repository.output(of: "/usr/bin/env", ["ldd", CommandLine.arguments[0]])
        #expect(bundle.contains("libFoundation"))
        for name in ["catrace-server", "catrace", "catrace-load"] {
            let program = Repository.products.appending(path: name).path
            try #require(
                FileManager.default.fileExists(atPath: program), "\(name) is not built: run swift build first"
            )
            let libraries = try Repository.output(of: "/usr/bin/env", ["ldd", program])
            #expect(libraries.contains("libc.so"), "\(name): \(libraries)")
            let foundation = libraries.split(separator: "\n").filter { $0.contains("Foundation") }
            #expect(foundation == [], "\(name) links it")
        }
    }
}
