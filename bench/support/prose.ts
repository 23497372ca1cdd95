/** English-like text without a source: the same for the same seed, so that runs compare. */

const OPENERS = 'The A Every No Each Some This That Our Their'.split(' ')
const NOUNS =
  'harbour ledger engine garden council valve archive contract bridge sample signal market furnace letter window orchard method treaty river station'.split(
    ' ',
  )
const VERBS =
  'holds records opens measures follows replaces carries explains limits reaches returns keeps questions supports'.split(
    ' ',
  )
const ENDS =
  'before winter;by agreement;without notice;under pressure;in the second year;at low tide;for a small fee;with great care;against the rules;after the audit'.split(
    ';',
  )

/** A generator of numbers in 0 to 1 (the minimal standard of Park and Miller). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

export function paragraph(next: () => number): string {
  const pick = (words: string[]) => words[Math.floor(next() * words.length)]!
  const sentence = () =>
    `${pick(OPENERS)} ${pick(NOUNS)} of the ${pick(NOUNS)} ${pick(VERBS)} ${Math.floor(next() * 9000)} ${pick(NOUNS)}s ${pick(ENDS)}.`
  return Array.from({ length: 3 + Math.floor(next() * 8) }, sentence).join(' ')
}

/** About so many characters, in paragraphs. */
export function prose(characters: number, seed = 1): string {
  const next = random(seed)
  const paragraphs: string[] = []
  for (let length = 0; length < characters; ) {
    const one = paragraph(next)
    paragraphs.push(one)
    length += one.length + 2
  }
  return paragraphs.join('\n\n')
}
