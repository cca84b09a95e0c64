package import RaceModel

/// Metrics in Prometheus' text form, version 0.0.4.
package struct MetricsText: Sendable {
    package private(set) var text = ""

    package init() {}

    package enum Kind: String, Sendable { case counter, gauge }

    /// One metric with its samples; a label set is written in the order given. No sample: the metric is left out.
    package mutating func add(
        _ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [(String, String)], value: Double)]
    ) {
        guard !samples.isEmpty else { return }
        self.begin(name, kind.rawValue, help)
        for sample in samples {
            self.text += "\(name)\(Self.labels(sample.labels)) \(Self.number(sample.value))\n"
        }
    }

    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.add(name, kind, help, [([], value)])
    }

    /// In seconds.
    package mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
        self.begin(name, "histogram", help)
        var below: UInt64 = 0
        for (bound, count) in zip(Histogram.bounds, histogram.counts) {
            below += count
            let seconds = Self.number(Double(bound.nanoseconds) / 1e9)
            self.text += "\(name)_bucket{le=\"\(seconds)\"} \(below)\n"
        }
        self.text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        self.text += "\(name)_sum \(Self.number(Double(histogram.sum.nanoseconds) / 1e9))\n"
        self.text += "\(name)_count \(histogram.count)\n"
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        self.text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(type)\n"
    }

    private static func labels(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }.joined(separator: ",")
            + "}"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Whole numbers without a point.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
