/** A line of a comparison: in both texts, only in the first, or only in the second. */
type Line = { sign: ' ' | '-' | '+'; text: string }

/** How many unchanged lines stay around a change. */
const AROUND = 3
/** How many pairs of lines are compared; of longer texts all lines between the first and the last difference are shown as changed. */
const MOST_PAIRS = 4_000_000

/** The changes between two texts as hunks of a unified diff, without its head; none for equal texts. */
export function lineDiff(before: string, after: string): string[] {
  const lines = compared(linesOf(before), linesOf(after))
  const shown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ sign }) => sign !== ' '),
  )
  const out: string[] = []
  const [numbers, open] = [{ '-': 1, '+': 1 }, { from: -1 }]
  for (const [at, { sign, text }] of lines.entries()) {
    if (shown[at] && open.from < 0) {
      open.from = at
      const end = shown.indexOf(false, at)
      const hunk = lines.slice(at, end < 0 ? undefined : end)
      const count = (other: string) => hunk.filter((line) => line.sign !== other).length
      out.push(`@@ -${numbers['-']},${count('+')} +${numbers['+']},${count('-')} @@`)
    }
    if (shown[at]) out.push(`${sign}${text}`)
    else open.from = -1
    if (sign !== '+') numbers['-'] += 1
    if (sign !== '-') numbers['+'] += 1
  }
  return out
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

function compared(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++
  const same = (lines: readonly string[]): Line[] => lines.map((text) => ({ sign: ' ', text }))
  return [
    ...same(a.slice(0, start)),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ]
}

/** The longest common lines stay, all others go or come. */
function between(a: readonly string[], b: readonly string[]): Line[] {
  if (a.length * b.length > MOST_PAIRS)
    return [...a.map((text): Line => ({ sign: '-', text })), ...b.map((text): Line => ({ sign: '+', text }))]
  const width = b.length + 1
  const longest = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? longest[(i + 1) * width + j + 1]! + 1
          : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i]! })
      i++
      j++
    } else if (
      j >= b.length ||
      (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)
    )
      lines.push({ sign: '-', text: a[i++]! })
    else lines.push({ sign: '+', text: b[j++]! })
  }
  return lines
}
