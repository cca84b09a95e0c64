import RaceModel
import ServerCore
import Testing

/// Each was first a seed of the simulation; here it is the shortest script that shows it.
struct FoundBySimulationTests {
    /// Two who have finished a race, with someone who watches it.
    private static func finishedRace(_ script: inout ServerScript) -> (
        ann: ConnectionID, bob: ConnectionID, watcher: ConnectionID
    ) {
        let ann = script.join("ann")
        let bob = script.join("bob")
        let watcher = script.join("wim")
        script.type("play rule=dash finish=1", ann)
        script.type("play rule=dash finish=1", bob)
        script.type("watch 1", watcher)
        script.type("move", ann)
        return (ann, bob, watcher)
    }

    @Test func `spectators who come along to a rematch are told which match it is`() {
        var script = ServerScript()
        let (ann, bob, watcher) = Self.finishedRace(&script)
        _ = script.read(watcher)
        script.type("rematch", ann)
        script.type("rematch", bob)
        let lines = script.read(watcher)
        #expect(lines.contains { $0.hasPrefix("found match=2 of=2") }, "\(lines)")
    }

    @Test func `a newer connection is told of the race it watches and of the queue it is in`() {
        var script = ServerScript()
        let watcher = script.connect()
        script.type("set notes off\nname wim", watcher)
        let key = script.read(watcher).compactMap { $0.value("key") }.first ?? ""
        let ann = script.join("ann")
        script.type("play bots=1", ann)
        script.type("play", watcher)
        script.type("watch 1", watcher)
        let newer = script.connect()
        script.type("name wim \(key)", newer)
        let verbs = script.readVerbs(newer)
        #expect(verbs.contains("queued") && verbs.contains("snapshot"), "\(verbs)")
    }

    @Test func `a newer connection is told of its private race and of invites`() {
        var script = ServerScript()
        let host = script.connect()
        script.type("set notes off\nname wim", host)
        let key = script.read(host).compactMap { $0.value("key") }.first ?? ""
        let ann = script.join("ann")
        script.type("host", host)
        let code = script.read(host).compactMap { $0.value("value") }.first
        script.type("invite wim", ann)
        let newer = script.connect()
        script.type("set notes off\nname wim \(key)", newer)
        let lines = script.read(newer)
        #expect(code != nil && lines.contains { $0.value("value") == code }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("invited id=1 from=ann") }, "\(lines)")
    }

    @Test func `a match that is being made is not spoken of before it is found`() {
        var script = ServerScript(cachedAliases: 1)
        let ann = script.join("ann")
        let bob = script.join("bob")
        let cid = script.join("cid")
        script.isStoreHeld = true
        for player in [ann, bob, cid] { script.type("play 3", player) }
        _ = script.read(ann)
        script.drop(cid)
        #expect(script.read(ann) == [])
        script.pass(seconds: 5)
        let verbs = script.readVerbs(ann)
        #expect(Array(verbs.prefix(5)) == ["found", "seat", "seat", "seat", "gone"], "\(verbs)")
    }

    @Test func `an alias that comes after its deadline does not rename a player of whom all were told`() {
        var script = ServerScript(cachedAliases: 1)
        let ann = script.join("ann")
        let bob = script.join("bob")
        script.isStoreHeld = true
        for player in [ann, bob] { script.type("play", player) }
        script.pass(seconds: 5)
        let told = script.read(ann).filter { $0.hasPrefix("seat n=") }
        #expect(told.contains { $0.value("alias") == "player-1" }, "\(told)")
        script.releaseStore()
        let watcher = script.join("wim")
        script.type("watch 1", watcher)
        let shown = script.read(watcher).filter { $0.hasPrefix("runner ") }
        #expect(shown.compactMap { $0.value("alias") } == told.compactMap { $0.value("alias") })
    }

    @Test func `who waits for a rematch that is called off in the making is told that there is none`() {
        var script = ServerScript(cachedAliases: 1)
        let (ann, bob, _) = Self.finishedRace(&script)
        script.isStoreHeld = true
        script.type("rematch", ann)
        script.type("rematch", bob)
        _ = script.read(ann)
        script.type("leave", bob)
        let lines = script.read(ann)
        #expect(lines.last == "stopped what=match", "\(lines)")
    }
}
