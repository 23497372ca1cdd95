import { randomBelow } from '../support/random.ts'

/** Which tries are made: the same for the same seed. */
export const SEED = Number(process.env.ATTACK_SEED ?? 1)

/** How many tries are made: `few` in `npm test`, as many as `ATTACK_TRIES` says by hand. */
export const tries = (few: number): number => Number(process.env.ATTACK_TRIES ?? few)

/** Draws from a list. */
export function drawing(): <T>(list: readonly T[]) => T {
  const below = randomBelow(SEED)
  return (list) => list[below(list.length)]!
}
