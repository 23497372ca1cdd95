import type { JsonObject } from '../../kit/json.ts'
import { FLOAT_BYTES, writeFloat } from './float-text.ts'

/** The most bytes of a UTF-16 code unit in UTF-8. */
const UNIT_BYTES = 3
const [COMMA, BRACKET, BRACE] = [','.charCodeAt(0), ']'.charCodeAt(0), '}'.charCodeAt(0)]

/** Documents are written one behind the other: a buffer for each takes longer than its text. */
const ROOM_BYTES = 2 ** 20
let room = Buffer.alloc(0)
let used = 0

/** An object as JSON in UTF-8, with a list of numbers as its last field. */
export function documentWith(object: JsonObject, field: string, vector: Float32Array): Uint8Array {
  const head = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(field)}:[`
  const most = UNIT_BYTES * head.length + FLOAT_BYTES * vector.length + 2
  if (room.length - used < most) {
    room = Buffer.allocUnsafeSlow(Math.max(ROOM_BYTES, most))
    used = 0
  }
  const start = used
  let at = start + room.write(head, start)
  for (const number of vector) {
    at = writeFloat(room, at, number)
    room[at++] = COMMA
  }
  room[at - 1] = BRACKET
  room[at++] = BRACE
  used = at
  return room.subarray(start, at)
}
