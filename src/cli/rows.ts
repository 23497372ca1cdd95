import { isObject, type Json } from '../kit/json.ts'
import { Failure } from './failure.ts'

/** The rows of a list, bare or `{data, total}`. @throws Failure */
export function rowsOf(answer: Json): Json[] {
  if (Array.isArray(answer)) return answer
  const data = isObject(answer) ? answer.data : undefined
  if (!Array.isArray(data)) throw new Failure('The server’s answer is not a list')
  return data
}
