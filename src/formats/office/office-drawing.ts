import { markdownTable } from '../markdown-table.ts'
import type { OfficePackage } from './office-package.ts'
import { type ElementRule, type ElementRules, prefixedAttribute, SKIP_ELEMENT } from '../xml.ts'

/**
 * Rules that read the charts and SmartArt of a part, which are stored in parts of their own (ECMA-376 part 1, 21.2
 * and 21.4), and put their text where the part shows them. A drawing that is shown several times is read once.
 */
export const drawingRules = (
  source: OfficePackage,
  part: string,
  put: (block: string) => void,
): ElementRules => rulesFor(source, part, put, readChart)

/** Like {@link drawingRules}, but of charts only the titles. */
export const chartTitleRules = (
  source: OfficePackage,
  part: string,
  put: (block: string) => void,
): ElementRules => rulesFor(source, part, put, chartTitles)

function rulesFor(
  source: OfficePackage,
  part: string,
  put: (block: string) => void,
  readChart: (source: OfficePackage, part: string) => string[],
): ElementRules {
  const seen = new Set<string>()
  const follow = (id: string | undefined, read: (source: OfficePackage, part: string) => string[]) => {
    const target = source.relationships(part).get(id ?? '')?.target
    if (target === undefined || seen.has(target)) return
    seen.add(target)
    for (const block of read(source, target)) put(block)
  }
  return {
    chart: { open: (attributes) => follow(prefixedAttribute(attributes, 'id'), readChart) },
    relIds: { open: (attributes) => follow(prefixedAttribute(attributes, 'dm'), readSmartArt) },
  }
}

/** The texts of a SmartArt, one line each. */
function readSmartArt(source: OfficePackage, part: string): string[] {
  const lines: string[] = []
  let line = ''
  source.read(part, {
    p: {
      open: () => (line = ''),
      close: () => {
        if (line.trim() !== '') lines.push(line.trim())
      },
    },
    t: {
      text(text) {
        source.countText(text.length)
        line += text
      },
    },
  })
  return lines.length > 0 ? [lines.join('\n')] : []
}

type Series = { name: string; categories: Map<number, string>; values: Map<number, string> }

/** The titles of a chart, then its series as the columns of a table. */
function readChart(source: OfficePackage, part: string): string[] {
  const { titles, series } = readChartParts(source, part)
  return [...titles, ...seriesTable(source, series)]
}

const chartTitles = (source: OfficePackage, part: string): string[] => readChartParts(source, part).titles

function readChartParts(source: OfficePackage, part: string): { titles: string[]; series: Series[] } {
  const titles: string[] = []
  const allSeries: Series[] = []
  let title: string | undefined
  let series: Series | undefined
  let field: 'name' | 'categories' | 'values' | undefined
  let index = 0

  const within = (name: typeof field): ElementRule => ({
    open: () => (field = name),
    close: () => (field = undefined),
  })
  const readText = (text: string) => {
    source.countText(text.length)
    if (title !== undefined) title += text
    else if (!series || !field) return
    else if (field === 'name') series.name += text
    else series[field].set(index, (series[field].get(index) ?? '') + text)
  }
  source.read(part, {
    title: {
      open: () => (title = ''),
      close: () => {
        if (title?.trim()) titles.push(title.trim())
        title = undefined
      },
    },
    ser: {
      open() {
        series = { name: '', categories: new Map(), values: new Map() }
        allSeries.push(series)
      },
      close: () => (series = undefined),
    },
    tx: within('name'),
    cat: within('categories'),
    xVal: within('categories'),
    val: within('values'),
    yVal: within('values'),
    pt: { open: ({ idx }) => (index = Number(idx)) },
    v: { text: readText },
    t: { text: (text) => title !== undefined && readText(text) },
    dLbls: SKIP_ELEMENT,
  })
  return { titles, series: allSeries }
}

function seriesTable(source: OfficePackage, allSeries: readonly Series[]): string[] {
  const indexes = new Set(
    allSeries.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()]),
  )
  if (indexes.size === 0) return []
  // series without common points make a table as large as the product of their sizes
  source.countText(indexes.size * (allSeries.length + 1) * 3)
  const categories = allSeries.find((series) => series.categories.size > 0)?.categories
  const rows = [...indexes]
    .sort((a, b) => a - b)
    .map((index) => [
      categories?.get(index) ?? '',
      ...allSeries.map(({ values }) => number(values.get(index))),
    ])
  return [markdownTable([['', ...allSeries.map(({ name }) => name)], ...rows])]
}

/** The file holds all 17 digits of a double: 0.10000000000000001. */
const number = (value = ''): string =>
  value.trim() === '' || Number.isNaN(Number(value)) ? value : String(Number(value))
