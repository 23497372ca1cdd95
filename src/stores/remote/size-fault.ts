/** What is wrong with a collection by the length of its vectors, as far as both are known; undefined where nothing is. */
export const sizeFault = (name: string, held: unknown, wanted: number | undefined): string | undefined =>
  wanted !== undefined && typeof held === 'number' && held !== wanted
    ? `${name} has vectors of ${held} numbers, and the flow has ${wanted}`
    : undefined
