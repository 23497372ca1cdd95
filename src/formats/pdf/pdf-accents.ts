import type { TextRun } from './pdf-runs.ts'

/** Accents that fonts of TeX and others draw as characters of their own, and the marks that Unicode composes. */
const MARKS: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  ˉ: '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
}

/** An accent is drawn over its letter if they overlap by more than this, in heights. */
const MIN_OVERLAP = 0.08

/** An accent and its letter have baselines that differ by less than this, in heights. */
const MAX_RISE = 0.4

const LETTER = /^\p{L}$/u

/**
 * Composes letters with the accents that are drawn over them, which come before the letter (`Br¨oker`) or after it
 * (`e´`): only where a run begins inside the one before it, so that quotation marks and code stay as they are. An
 * accent without a letter that Unicode composes with it stays too.
 */
export function composeAccents(runs: readonly TextRun[]): TextRun[] {
  const composed: TextRun[] = []
  for (const given of runs) {
    const run = COMBINING.test(given.text) ? { ...given, text: given.text.normalize('NFC') } : given
    const before = composed.at(-1)
    if (!before || !isOver(before, run)) composed.push(run)
    else if (before.text.at(-1)! in MARKS) composed.push(...accentBefore(before, run, composed))
    else composed.push(...accentAfter(before, run, composed))
  }
  return composed
}

const COMBINING = /[\u0300-\u036f]/

const isOver = (before: TextRun, run: TextRun): boolean => {
  const height = Math.max(before.height, run.height)
  const overlap = before.right - run.x
  return overlap > height * MIN_OVERLAP && overlap < height && Math.abs(before.y - run.y) < height * MAX_RISE
}

/** The run whose first letter has the accent at the end of the run before it; that run loses it. */
function accentBefore(before: TextRun, run: TextRun, composed: TextRun[]): TextRun[] {
  const letter = compose(run.text[0]!, before.text.at(-1)!)
  if (letter === undefined) return [run]
  const [text, accented] = [before.text.slice(0, -1), letter + run.text.slice(1)]
  composed.pop()
  if (text.trim() === '') return [{ ...run, text: accented, spaced: before.spaced || text !== '' }]
  // the accent is drawn where the letter begins
  const rest = { ...before, text: text.trimEnd(), right: Math.min(before.right, run.x) }
  return [rest, { ...run, text: accented, spaced: run.spaced || rest.text !== text }]
}

/** The run before with the accent at the beginning of a run on its last letter, and what is left of that run. */
function accentAfter(before: TextRun, run: TextRun, composed: TextRun[]): TextRun[] {
  const letter = compose(before.text.at(-1)!, run.text[0]!)
  if (letter === undefined) return [run]
  composed.pop()
  const accented = { ...before, text: before.text.slice(0, -1) + letter }
  const rest = run.text.slice(1)
  const text = rest.trimStart()
  if (text === '') return [accented]
  return [accented, { ...run, text, x: Math.min(before.right, run.right), spaced: text !== rest }]
}

/** A letter with an accent as one character; undefined if there is none, or if it is not a letter and an accent. */
function compose(letter: string, accent: string): string | undefined {
  const mark = MARKS[accent]
  if (mark === undefined || !LETTER.test(letter)) return undefined
  const whole = ((DOTLESS[letter] ?? letter) + mark).normalize('NFC')
  return whole.length === 1 ? whole : undefined
}

/** TeX sets accents over letters without a dot. */
const DOTLESS: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' }
