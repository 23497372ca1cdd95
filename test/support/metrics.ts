// @ts-expect-error the package has no types
import parse from 'parse-prometheus-text-format'

type Sample = { labels?: Record<string, string>; value: string }
type Family = { name: string; help: string; type: string; metrics: Sample[] }

/** A scrape, read by a parser that is not ours. */
export type Scrape = {
  families: readonly Family[]
  /** The value of a counter or gauge with these labels, or the count of a histogram; 0 for a sample that is not there. */
  value(name: string, labels?: Record<string, string>): number
}

const read = parse as (text: string) => Family[]

export function readScrape(text: string): Scrape {
  const families = read(text)
  // The parser adds up the histograms of a family, whatever their labels are. Without types it reads each sample as it is.
  const samples = read(text.replace(/^#.*\n/gm, ''))
  const typeOf = new Map(families.map(({ name, type }) => [name, type]))
  return {
    families,
    value(name, labels = {}) {
      const written = typeOf.get(name) === 'HISTOGRAM' ? `${name}_count` : name
      // The samples of one name that do not follow one another are a family each.
      const found = samples
        .filter((family) => family.name === written)
        .flatMap(({ metrics }) => metrics)
        .find((one) => Object.entries(labels).every(([label, value]) => one.labels?.[label] === value))
      return Number(found?.value ?? 0)
    },
  }
}
