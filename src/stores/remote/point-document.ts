import type { JsonObject } from '../../kit/json.ts'
import { FLOAT_BYTES, writeFloat } from './float-text.ts'

/** The most bytes of a UTF-16 code unit in UTF-8. */
const UNIT_BYTES = 3
const [COMMA, BRACKET, BRACE] = [','.charCodeAt(0), ']'.charCodeAt(0), '}'.charCodeAt(0)]

let scratch = Buffer.alloc(64 * 2 ** 10)

/** An object as JSON in UTF-8, with a list of numbers as its last field. */
export function documentWith(object: JsonObject, field: string, vector: Float32Array): Uint8Array {
  const head = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(field)}:[`
  const most = UNIT_BYTES * head.length + FLOAT_BYTES * vector.length + 2
  if (scratch.length < most) scratch = Buffer.alloc(2 * most)
  let at = scratch.write(head)
  for (const number of vector) {
    at = writeFloat(scratch, at, number)
    scratch[at++] = COMMA
  }
  scratch[at - 1] = BRACKET
  scratch[at++] = BRACE
  return Uint8Array.prototype.slice.call(scratch, 0, at)
}
