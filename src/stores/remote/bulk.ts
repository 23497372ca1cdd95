import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { PASSING_STATUS } from '../../kit/retry.ts'
import type { EngineServer } from './engine-server.ts'

export type BulkAction = { action: JsonObject; document?: JsonObject }

/** How often the actions are sent again that a server was too busy for. */
const ATTEMPTS = 5

type ItemResult = { status: number; reason: string }

/**
 * Writes by `_bulk` (OpenSearch, Elasticsearch), whose answer is 200 also where some actions have failed. Those that the
 * server was too busy for are sent again, alone; a missing document is no failure of a deletion.
 *
 * @throws SluiceError `provider_failed` with the reason of the first other failure, or where some actions fail each time
 */
export function bulkWriter(server: EngineServer): (actions: readonly BulkAction[]) => Promise<void> {
  return async (actions) => {
    let left = actions
    for (let attempt = 1; left.length > 0; attempt++) {
      const lines = left.flatMap(({ action, document }) => (document ? [action, document] : [action]))
      const { body } = await server.call({ method: 'POST', path: '/_bulk', lines })
      const results = resultsIn(body)
      if (results.length !== left.length) throw server.failure('its answer has no result for some writes')
      const refused = results.find(({ status }) => isRefusal(status))
      if (refused) throw server.failure(`it refuses a write with ${refused.status}: ${refused.reason}`)
      left = left.filter((_, at) => PASSING_STATUS.has(results[at]!.status))
      if (left.length > 0 && attempt === ATTEMPTS)
        throw server.failure(`it is too busy for ${left.length} writes of ${actions.length}`)
      if (left.length > 0) await server.pause(attempt)
    }
  }
}

const isRefusal = (status: number): boolean => status >= 300 && status !== 404 && !PASSING_STATUS.has(status)

/** The results in the order of the actions. */
function resultsIn(body: Json | undefined): ItemResult[] {
  const items = isObject(body) && Array.isArray(body.items) ? body.items : []
  return items.map((item) => {
    const [action, result] = isObject(item) ? (Object.entries(item)[0] ?? []) : []
    if (!isObject(result) || typeof result.status !== 'number') return { status: 500, reason: 'unknown' }
    const { status, error } = result
    // An index that is missing is no failure of a deletion, but is one of a write.
    if (status === 404 && action !== 'delete') return { status: 400, reason: 'the index is missing' }
    return { status, reason: isObject(error) && typeof error.type === 'string' ? error.type : 'unknown' }
  })
}
