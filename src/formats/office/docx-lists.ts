import type { ListPosition } from './docx-styles.ts'
import { listNumber } from '../list-number.ts'
import type { OfficePackage } from './office-package.ts'
import { attribute } from '../xml.ts'

/** Counts the items of all lists of a document. `nextMarker` is called once per item, in document order. */
export type DocxLists = {
  /** The text before the next item: `-`, `7.`, `2.1`; empty if the list shows none. */
  nextMarker(place: ListPosition): string
}

/** `text` has `%1` for the number of the first level. */
export type Level = { format: string; start: number; text: string }
/** The levels of one abstract numbering and their counts, which all its instances share. */
export type Numbering = { levels: Level[]; counts: number[] }
export type Instance = { abstractId: string; overrides: Map<number, number> }

/** Reads numbering.xml (ECMA-376 part 1, 17.9). */
export function readLists(source: OfficePackage, part: string | undefined): DocxLists {
  const { numberings, instances } = readNumberings(source, part)
  return countItems(numberings, instances)
}

/** Counts the items of lists whose numberings are known. */
export function countItems(
  numberings: ReadonlyMap<string, Numbering>,
  instances: ReadonlyMap<string, Instance>,
): DocxLists {
  const restarted = new Set<Instance>()

  return {
    nextMarker({ id, level: wanted }) {
      const instance = instances.get(id)
      if (!instance) return id === '0' ? '' : '-'
      const { levels, counts } = numberings.get(instance.abstractId) ?? { levels: [], counts: [] }
      if (!restarted.has(instance)) {
        restarted.add(instance)
        for (const [level, start] of instance.overrides) counts[level] = start - 1
      }
      const depth = clampLevel(wanted)
      const level = levels[depth]
      if (level?.format === 'none') return ''
      if (!level || level.format === 'bullet') return '-'
      counts[depth] = (counts[depth] ?? level.start - 1) + 1
      counts.length = depth + 1
      return level.text.replace(/%([1-9])/g, (_, digit: string) => {
        const shown = Number(digit) - 1
        return listNumber(counts[shown] ?? levels[shown]?.start ?? 1, levels[shown]?.format)
      })
    },
  }
}

function readNumberings(source: OfficePackage, part: string | undefined) {
  const numberings = new Map<string, Numbering>()
  const instances = new Map<string, Instance>()
  let numbering: Numbering = { levels: [], counts: [] }
  let instance: Instance = { abstractId: '', overrides: new Map() }
  let level: Level = { format: 'decimal', start: 1, text: '' }
  let overridden = 0
  if (part !== undefined) {
    source.read(part, {
      abstractNum: {
        open(attributes) {
          numbering = { levels: [], counts: [] }
          numberings.set(attribute(attributes, 'abstractNumId') ?? '', numbering)
        },
      },
      lvl: {
        open(attributes) {
          level = { format: 'decimal', start: 1, text: '' }
          numbering.levels[clampLevel(Number(attribute(attributes, 'ilvl')))] = level
        },
      },
      numFmt: { open: (attributes) => (level.format = attribute(attributes, 'val') ?? 'decimal') },
      start: { open: (attributes) => (level.start = wholeNumber(attribute(attributes, 'val'))) },
      lvlText: {
        open: (attributes) => (level.text = attribute(attributes, 'val')?.slice(0, MAX_MARKER) ?? ''),
      },
      num: {
        open(attributes) {
          instance = { abstractId: '', overrides: new Map() }
          instances.set(attribute(attributes, 'numId') ?? '', instance)
          // a level inside an instance changes only its appearance: it is read into a numbering that is not used
          numbering = { levels: [], counts: [] }
        },
      },
      abstractNumId: { open: (attributes) => (instance.abstractId = attribute(attributes, 'val') ?? '') },
      lvlOverride: { open: (attributes) => (overridden = clampLevel(Number(attribute(attributes, 'ilvl')))) },
      startOverride: {
        open: (attributes) => instance.overrides.set(overridden, wholeNumber(attribute(attributes, 'val'))),
      },
    })
  }
  return { numberings, instances }
}

/** In characters. Only a hostile file has longer ones, to make a small file give a large text. */
const MAX_MARKER = 100

const clampLevel = (level: number): number => Math.min(8, Math.max(0, Math.trunc(level) || 0))

const wholeNumber = (value: string | undefined): number => Math.trunc(Number(value ?? 1)) || 0
