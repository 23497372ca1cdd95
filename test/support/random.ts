/** Whole numbers below a bound, the same ones for the same seed. (The minimal standard of Park and Miller.) */
export function randomBelow(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
}
