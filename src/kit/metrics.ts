/** One value of a metric with the values of its labels. */
export type Sample = { labels?: Readonly<Record<string, string>>; value: number }

/** A count that only grows. The values of the labels come in the order of their names. */
export type Counter = { add(amount: number, ...labels: readonly string[]): void }

/** Counts values in classes, and adds them up. The values of the labels come in the order of their names. */
export type Histogram = { observe(value: number, ...labels: readonly string[]): void }

export type MetricOptions = {
  name: string
  /** What it counts, in a sentence. */
  help: string
  labels?: readonly string[]
  /** Values of the labels that are shown with 0 from the start. */
  initial?: readonly (readonly string[])[]
}

/** The metrics of a process, in the Prometheus text format 0.0.4. */
export type Metrics = {
  counter(options: MetricOptions): Counter
  /** @param bounds the upper bounds of the classes, ascending, without infinity */
  histogram(options: MetricOptions, bounds: readonly number[]): Histogram
  /** A metric whose samples are read at each scrape; none where there is nothing to show. */
  read(
    options: Pick<MetricOptions, 'name' | 'help'> & { type: 'gauge' | 'counter' },
    samples: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): void
  text(): Promise<string>
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Upper bounds of classes for times in seconds. */
export const SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
]

/** Stands between label values in the key of a series; no label value has it. */
const SEPARATOR = '\u0000'

type Series<T> = { labels: readonly string[]; value: T }
type Tally = { counts: Float64Array; sum: number }

export function createMetrics(): Metrics {
  const families: (() => string | Promise<string>)[] = []
  const names = new Set<string>()

  function declare(name: string, lines: () => string | Promise<string>): void {
    if (names.has(name)) throw new Error(`two metrics are called ${name}`)
    names.add(name)
    families.push(lines)
  }

  /** The series of a metric, by the values of its labels. */
  function seriesOf<T>({ name, labels = [], initial = [] }: MetricOptions, create: () => T) {
    const all = new Map<string, Series<T>>()
    const find = (values: readonly string[]): Series<T> => {
      const key = values.join(SEPARATOR)
      let found = all.get(key)
      if (found) return found
      if (values.length !== labels.length) throw new Error(`${name} has ${labels.length} labels`)
      found = { labels: [...values], value: create() }
      all.set(key, found)
      return found
    }
    for (const values of labels.length === 0 ? [[]] : initial) find(values)
    return { all, find }
  }

  return {
    counter(options) {
      const { all, find } = seriesOf(options, () => ({ total: 0 }))
      const { name, labels = [] } = options
      declare(name, () =>
        family(
          options,
          'counter',
          [...all.values()].map(
            ({ labels: values, value }) => `${name}${labelled(labels, values)} ${value.total}`,
          ),
        ),
      )
      return {
        add(amount, ...values) {
          find(values).value.total += amount
        },
      }
    },

    histogram(options, bounds) {
      const { all, find } = seriesOf<Tally>(options, () => ({
        counts: new Float64Array(bounds.length + 1),
        sum: 0,
      }))
      declare(options.name, () =>
        family(
          options,
          'histogram',
          [...all.values()].flatMap((series) => histogramLines(options, bounds, series)),
        ),
      )
      return {
        observe(value, ...values) {
          const { value: tally } = find(values)
          let at = 0
          while (at < bounds.length && value > bounds[at]!) at++
          tally.counts[at]!++
          tally.sum += value
        },
      }
    },

    read({ type, ...options }, samples) {
      declare(options.name, async () =>
        family(
          options,
          type,
          (await samples()).map(({ labels = {}, value }) => {
            return `${options.name}${labelled(Object.keys(labels), Object.values(labels))} ${written(value)}`
          }),
        ),
      )
    },

    async text() {
      const written = await Promise.all(families.map((family) => family()))
      return written.join('')
    },
  }
}

/** The lines of a metric. Type and help are shown before there is a sample, so that dashboards can be checked against them. */
const family = (
  { name, help }: Pick<MetricOptions, 'name' | 'help'>,
  type: 'counter' | 'gauge' | 'histogram',
  lines: readonly string[],
): string => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')

function histogramLines(
  { name, labels: names = [] }: MetricOptions,
  bounds: readonly number[],
  { labels, value }: Series<Tally>,
): string[] {
  let passed = 0
  const classes = [...bounds.map(String), '+Inf'].map((bound, at) => {
    passed += value.counts[at]!
    return `${name}_bucket${labelled([...names, 'le'], [...labels, bound])} ${passed}`
  })
  const own = labelled(names, labels)
  return [...classes, `${name}_sum${own} ${value.sum}`, `${name}_count${own} ${passed}`]
}

const labelled = (names: readonly string[], values: readonly string[]): string =>
  names.length === 0 ? '' : `{${names.map((name, at) => `${name}="${escaped(values[at]!)}"`).join(',')}}`

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

const written = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
