import { isObject, type Json, type JsonObject } from '../../../src/kit/json.ts'

export type Below = (bound: number) => number

export const pick = <T>(below: Below, from: readonly T[]): T => from[below(from.length)]!

const DEEP = JSON.parse('['.repeat(150) + ']'.repeat(150)) as Json

/** Texts that often cause errors. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202etxt.exe',
  '\r\nx: y',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e999',
  '%',
  '%00',
  "'; DROP TABLE flows; --",
  '{{question}}',
  '{{$vars.city}}',
  '{{nothing_0.data.instance}}',
  '[object Object]',
  'Ж中🙂é',
  'x'.repeat(5000),
  '0b7e1c1c-5d6f-4a39-9e6b-3d9c4f7f2a10',
  '2026-13-45T99:99:99Z',
  'http://127.0.0.1:1/',
  'data:text/plain;base64,####',
]

const ODD: readonly Json[] = [
  ...ODD_TEXTS,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  [null],
  [[]],
  ['x', 1, {}],
  DEEP,
  { $and: [] },
  { $or: [{ a: { $in: [] } }] },
  { a: { $gt: {} } },
  { $not: { $regex: '(a+)+$' } },
  { toString: 1, length: -1 },
  JSON.parse('{"__proto__": {"admin": true}}') as Json,
]

/** A copy of a value with odd, missing, repeated or new fields in some places. */
export function spoiled(value: Json, below: Below): Json {
  const root: JsonObject = { value: structuredClone(value) }
  for (let count = below(3) + 1; count > 0; count--) spoilOne(root, below)
  return root.value ?? null
}

function spoilOne(root: JsonObject, below: Below): void {
  let place: JsonObject = root
  for (let depth = below(8) + 1; depth > 0; depth--) {
    const keys = Object.keys(place)
    const key = keys[below(Math.max(1, keys.length))]
    if (key === undefined) {
      setOwn(place, pick(below, ['x', '__proto__', 'id', 'length']), odd(below))
      return
    }
    const inner = place[key]
    if (depth === 1 || (!isObject(inner) && !Array.isArray(inner))) {
      change(place, key, below)
      return
    }
    place = inner as JsonObject
  }
}

function change(place: JsonObject, key: string, below: Below): void {
  const value = place[key]
  const kind = below(6)
  if (kind === 0) {
    if (Array.isArray(place)) place.splice(Number(key), 1)
    else delete place[key]
  } else if (kind === 1) setOwn(place, key, [value ?? null, value ?? null])
  else if (kind === 2 && !Array.isArray(place)) setOwn(place, pick(below, ODD_TEXTS).slice(0, 50), odd(below))
  else if (kind === 3 && typeof value === 'string') setOwn(place, key, value + pick(below, ODD_TEXTS))
  else if (kind === 3 && typeof value === 'number') setOwn(place, key, -value * 1e6)
  else setOwn(place, key, odd(below))
}

export const odd = (below: Below): Json => structuredClone(pick(below, ODD))

/** Sets a field of its own, also one called `__proto__`, as JSON can; what is no place of a list goes to its end. */
function setOwn(place: JsonObject, key: string, value: Json): void {
  if (Array.isArray(place) && !/^\d+$/.test(key)) place.push(value)
  else Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true })
}
