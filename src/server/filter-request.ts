import { SluiceError } from '../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../kit/json.ts'
import { suggest } from '../kit/suggest.ts'

/** What other products call it, and what it is taken for. */
const SAME_MEANING: readonly string[] = ['where']
const OTHER_WORDS: readonly string[] = ['file', 'files']

/**
 * Refuses a request with a name that is nearly `filter`. Another unknown name is only a warning. Without its filter a
 * query would answer chunks that the client did not want to see, and a removal would remove them.
 *
 * @param names the names of the body or of the query string
 * @throws SluiceError `filter_invalid`
 */
export function refuseNearFilter(names: object): void {
  const near = Object.keys(names).find(isNearFilter)
  if (near !== undefined)
    throw new SluiceError('filter_invalid', {
      reason: `there is no field ${near.slice(0, 100)}; did you mean filter?`,
    })
}

function isNearFilter(name: string): boolean {
  if (name === 'filter') return false
  const given = name.toLowerCase()
  if (given.includes('filter') || SAME_MEANING.includes(given)) return true
  return given.length >= 4 && !OTHER_WORDS.includes(given) && suggest(given, ['filter']) !== undefined
}

/** The filter of a query string, which is JSON; undefined for an empty text. @throws SluiceError `filter_invalid` */
export function filterOfText(text: string | undefined): JsonObject | undefined {
  if (!text?.trim()) return undefined
  const filter = parseJson(text)
  if (!isObject(filter))
    throw new SluiceError('filter_invalid', {
      reason: 'the parameter filter is not the text of a JSON object',
    })
  return filter as JsonObject
}
