/** The version of each source that there is. */
export type Versions = ReadonlyMap<string, number>

/** A change of one source: its next version, or that it is removed. */
export type Change = { source: string; version: number | undefined }

/** How many sources there are at least, so that an empty answer is never right, and at most. */
const SOURCES = { least: 3, most: 10 }

/** Each line becomes a chunk. */
export const CHUNK_SIZE = 80
const LINES = { least: 4, most: 20 }

/** Of three lines one changes from a version to the next. No two versions of a line are equal. */
const EVERY = 3

/** The lines of a version of a source. */
export const linesOf = (source: string, version: number): string[] =>
  Array.from({ length: LINES.least + (sum(source) % (LINES.most - LINES.least)) }, (_, line) => {
    const since = Math.max(1, version - ((version + line) % EVERY))
    return `Source ${source}, line ${line}, as it is since version ${since} of it.`
  })

const sum = (text: string): number => [...text].reduce((all, letter) => all * 7 + letter.charCodeAt(0), 0)

/** The texts of all chunks, sorted. */
export const textsOf = (versions: Versions): string[] =>
  [...versions].flatMap(([source, version]) => linesOf(source, version)).sort()

/** The changes of a run, the same ones for the same seed. */
export function changes(random: (bound: number) => number) {
  const last = new Map<string, number>()

  return {
    /** A source that is added, replaced or removed. */
    next(versions: Versions): Change {
      const source = `s${random(SOURCES.most)}.txt`
      if (versions.has(source) && versions.size > SOURCES.least && random(3) === 0)
        return { source, version: undefined }
      const version = (last.get(source) ?? 0) + 1
      last.set(source, version)
      return { source, version }
    },

    /** What there is after a change. */
    after(versions: Versions, { source, version }: Change): Versions {
      const next = new Map(versions)
      if (version === undefined) next.delete(source)
      else next.set(source, version)
      return next
    },
  }
}
