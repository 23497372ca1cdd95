/** How many sums of a vector its check has. */
const SUMS = 4
/** The relative error of a number that is rounded to 16 bits, and the absolute one of the smallest. */
const ROUNDING = 2 ** -11
const SMALLEST = 2 ** -25
/** Numbers between -1 and 1, always the same: the weights of the sums. Made when a longer vector first needs them. */
let weights = new Float64Array(0)

/**
 * A checksum of a vector that holds also after what engines do to vectors: some bring them to length 1, some round them to 16 bits.
 * It has the length, and four weighted sums of the vector at length 1, as base64url of five numbers of 32 bits.
 */
export function vectorCheck(vector: Float32Array): string {
  const length = lengthOf(vector)
  const check = new Float32Array(SUMS + 1)
  check[0] = length
  if (length > 0) check.set(sumsOf(vector, length), 1)
  return Buffer.from(check.buffer).toString('base64url')
}

/**
 * Whether a vector can be the one that a check was made of. Changes that are smaller than a rounding to 16 bits are not told, nor is
 * a vector that was brought to length 1.
 */
export function meetsCheck(vector: Float32Array, check: string): boolean {
  const bytes = Buffer.from(check, 'base64url')
  if (bytes.length !== 4 * (SUMS + 1)) return false
  const [wanted, ...expected] = new Float32Array(Uint8Array.from(bytes).buffer)
  const { length, sums } = measured(vector)
  const isLength = (one: number) => Math.abs(length - one) <= 2 * ROUNDING * one
  if (!isLength(wanted!) && !(wanted! > 0 && isLength(1))) return false
  return sums.every(({ sum, error }, at) => Math.abs(sum - expected[at]!) <= error)
}

function lengthOf(vector: Float32Array): number {
  let squares = 0
  for (const number of vector) squares += number * number
  return Math.sqrt(squares)
}

/** The sums of a vector that is not zero, as {@link measured} has them. All at once: this is done for each point that is written. */
function sumsOf(vector: Float32Array, length: number): [number, number, number, number] {
  const own = weightsOf(vector.length)
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let index = 0; index < vector.length; index++) {
    const number = vector[index]!
    const at = index * SUMS
    first += (own[at]! * number) / length
    second += (own[at + 1]! * number) / length
    third += (own[at + 2]! * number) / length
    fourth += (own[at + 3]! * number) / length
  }
  return [first, second, third, fourth]
}

/** The length of a vector, and its sums with the error that a rounding may bring. */
function measured(vector: Float32Array): { length: number; sums: { sum: number; error: number }[] } {
  const length = lengthOf(vector)
  const own = weightsOf(vector.length)
  const sums = Array.from({ length: SUMS }, (_, at) => {
    if (length === 0) return { sum: 0, error: 0 }
    let [sum, sizes, errors] = [0, 0, 0]
    for (let index = 0; index < vector.length; index++) {
      const weight = own[index * SUMS + at]!
      const term = (weight * vector[index]!) / length
      sum += term
      sizes += Math.abs(term)
      errors += Math.abs(weight)
    }
    return { sum, error: 1.01 * (ROUNDING * (sizes + Math.abs(sum)) + (SMALLEST * errors) / length) + 1e-6 }
  })
  return { length, sums }
}

/** The same for each start and each machine: points keep their checks for years. */
function weightsOf(dimensions: number): Float64Array {
  if (weights.length < dimensions * SUMS) {
    weights = new Float64Array(Math.max(4096, dimensions) * SUMS)
    let state = 1
    for (let at = 0; at < weights.length; at++) {
      // The generator of Lehmer, with the factor of Park and Miller.
      state = (state * 48_271) % 2_147_483_647
      weights[at] = (2 * state) / 2_147_483_647 - 1
    }
  }
  return weights
}
