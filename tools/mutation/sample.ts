import { randomBelow } from '../../test/support/random.ts'

/** At most `most` of some items, in their order: the same ones for the same seed. */
export function sampleOf<Item>(items: readonly Item[], most: number, seed: number): Item[] {
  const below = randomBelow(seed)
  let missing = Math.min(most, items.length)
  // Each item is taken with the probability with which so many of the rest are missing.
  return items.filter((_, at) => {
    const isTaken = below(items.length - at) < missing
    if (isTaken) missing--
    return isTaken
  })
}
