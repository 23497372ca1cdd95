import type { Box, TextRun } from './pdf-runs.ts'

/** Two printings of one text are at most this far apart, in heights: `ll` is two letters. */
const MAX_SHIFT = 0.15

/** Runs of a line that are compared with one more run of it. */
const MAX_COMPARED = 40

/**
 * Leaves out runs that print a text again at nearly the same place, which makes it look bold or gives it a shadow. The
 * second printing may be in other pieces than the first: a run inside another one counts if its words are there, and
 * where each letter is printed twice, a run begins with the letter that the one before it ends with.
 */
export function withoutDoubles(runs: readonly TextRun[]): TextRun[] {
  const lines = new Map<number, TextRun[]>()
  const kept: TextRun[] = []
  for (const given of runs) {
    const run = withoutDoubleLetter(kept.at(-1), given)
    if (run.text === '') continue
    const at = Math.round(run.y / LINE)
    const near = [at, at + (run.y / LINE > at ? 1 : -1)]
    if (near.some((place) => lines.get(place)?.some((other) => isPrintedBy(other, run)))) continue
    kept.push(run)
    const line = lines.get(at)
    if (!line) lines.set(at, [run])
    else if (line.push(run) > MAX_COMPARED) line.shift()
  }
  return kept
}

/** Baselines are looked up in steps of this, in points. */
const LINE = 2

function isPrintedBy(other: TextRun, run: TextRun): boolean {
  const shift = run.height * MAX_SHIFT
  if (Math.abs(other.y - run.y) > shift || !isSameSize(other, run)) return false
  if (run.x < other.x - shift || run.right > other.right + shift) return false
  if (run.text === other.text) return Math.abs(other.x - run.x) <= Math.min(shift, widthOf(run) / 2)
  if (run.text.length < 3) return false
  // where the run would begin in the other text if all letters had one width
  const letter = widthOf(other) / other.text.length
  const place = Math.round((run.x - other.x) / letter)
  const from = Math.max(0, place - Math.ceil(other.text.length / 8) - 1)
  const found = other.text.indexOf(run.text, from)
  return found >= 0 && found <= place + Math.ceil(other.text.length / 8) + 1
}

/** The overlap of a letter with itself, in heights: more than that of an accent or of kerned letters. */
const MIN_OVERLAP = 0.13

function withoutDoubleLetter(before: TextRun | undefined, run: TextRun): TextRun {
  if (!before || before.text.at(-1) !== run.text[0] || before.y !== run.y || !isSameSize(before, run))
    return run
  const overlap = before.right - run.x
  if (overlap < run.height * MIN_OVERLAP || overlap > run.height * 1.1) return run
  const rest = run.text.slice(1)
  return { ...run, text: rest.trimStart(), spaced: /^\s/.test(rest), x: Math.min(before.right, run.right) }
}

const widthOf = ({ x, right }: Box): number => right - x

const isSameSize = (a: Box, b: Box): boolean => Math.abs(a.height - b.height) < b.height * 0.1
