/**
 * The candidate that is nearest to a mistyped word; `undefined` if none is near. Case does not matter. A word of three
 * letters or more that only one candidate begins with gives that candidate.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  const given = word.toLowerCase()
  const all = [...candidates]
  const near = all
    .map((candidate) => ({ candidate, distance: distance(given, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance)
  if (near[0] !== undefined || given.length < 3) return near[0]?.candidate
  const longer = all.filter((candidate) => candidate.toLowerCase().startsWith(given))
  return longer.length === 1 ? longer[0] : undefined
}

/** `did you mean quickstart?`, for the hint of an error; `otherwise` if no candidate is near. */
export function didYouMean<const O extends string | undefined = undefined>(
  word: string,
  candidates: Iterable<string>,
  otherwise?: O,
): string | O {
  const meant = suggest(word, candidates)
  return meant === undefined ? (otherwise as O) : `did you mean ${meant}?`
}

/** How many letters must be added, dropped, changed or swapped with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
