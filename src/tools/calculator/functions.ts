/** A function of an expression, and how many values it takes. */
export type ExpressionFunction = { least: number; most: number; of(...values: number[]): number }

const one = (of: (value: number) => number): ExpressionFunction => ({ least: 1, most: 1, of })
const two = (of: (first: number, second: number) => number): ExpressionFunction => ({ least: 2, most: 2, of })
const many = (of: (...values: number[]) => number): ExpressionFunction => ({ least: 1, most: Infinity, of })

const sum = (...values: number[]) => values.reduce((total, value) => total + value, 0)

function median(...values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Half is rounded away from zero. @param digits decimal places, 0 to 15 */
function round(value: number, digits = 0): number {
  const places = Math.min(Math.max(Math.trunc(digits), 0), 15)
  const shifted = Number(`${Math.abs(value)}e${places}`)
  return Number.isFinite(shifted) ? Math.sign(value) * Number(`${Math.round(shifted)}e-${places}`) : value
}

/** The functions by their names in lower case. Angles are in radians; `log` is natural, as in Flowise. */
export const FUNCTIONS: Readonly<Record<string, ExpressionFunction>> = {
  abs: one(Math.abs),
  ceil: one(Math.ceil),
  floor: one(Math.floor),
  trunc: one(Math.trunc),
  sign: one(Math.sign),
  round: { least: 1, most: 2, of: round },
  sqrt: one(Math.sqrt),
  cbrt: one(Math.cbrt),
  exp: one(Math.exp),
  ln: one(Math.log),
  log: one(Math.log),
  log2: one(Math.log2),
  log10: one(Math.log10),
  pow: two((base, exponent) => base ** exponent),
  mod: two((value, divisor) => value % divisor),
  hypot: many(Math.hypot),
  sin: one(Math.sin),
  cos: one(Math.cos),
  tan: one(Math.tan),
  asin: one(Math.asin),
  acos: one(Math.acos),
  atan: one(Math.atan),
  atan2: two(Math.atan2),
  sinh: one(Math.sinh),
  cosh: one(Math.cosh),
  tanh: one(Math.tanh),
  min: many(Math.min),
  max: many(Math.max),
  sum: many(sum),
  mean: many((...values) => sum(...values) / values.length),
  median: many(median),
}

export const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, π: Math.PI, e: Math.E }

/** The largest number whose factorial a double can hold. */
const LARGEST_FACTORIAL = 170

/** @param refuse is called with the reason where there is none */
export function factorial(value: number, refuse: (reason: string) => never): number {
  if (!Number.isInteger(value) || value < 0 || value > LARGEST_FACTORIAL)
    return refuse(`! takes whole numbers from 0 to ${LARGEST_FACTORIAL}, not ${value}`)
  let product = 1
  for (let factor = 2; factor <= value; factor++) product *= factor
  return product
}
