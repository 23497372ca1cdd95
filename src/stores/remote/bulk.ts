import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { PASSING_STATUS } from '../../kit/retry.ts'
import type { EngineServer } from './engine-server.ts'

/** `document`: bytes are JSON that is written already. */
export type BulkAction = { action: JsonObject; document?: JsonObject | Uint8Array }

/** An answer tells of each write what is read of it, and no more. */
const BULK_PATH = '/_bulk?filter_path=items.*.status,items.*.error,items.*._index'

/** By how much the next call is larger than one that was taken whole. */
const GROWTH = 1.25

/** `reason` is one that may be told. */
type ItemResult = { status: number; reason: string }
/** `headers` may say how long to wait. */
type Sent = { results: ItemResult[]; headers: Headers }

/**
 * Writes by `_bulk` (OpenSearch, Elasticsearch), whose answer is 200 also where some actions have failed. Those that the server was too
 * busy for are sent again, in calls of half the size; a missing document is no failure of a deletion.
 *
 * @throws SluiceError `provider_failed` with each reason of the other failures and its count, or with those of the writes that are left where
 * nothing is taken, again and again; a job waits until something is
 */
export function bulkWriter(
  server: EngineServer,
): (actions: readonly BulkAction[], to?: { isAlias: boolean }) => Promise<void> {
  async function send(actions: readonly BulkAction[], path: string): Promise<Sent> {
    const lines = actions.flatMap(({ action, document }) => (document ? [action, document] : [action]))
    // A server that has no room for a call may have some for half of it.
    const expected = actions.length > 1 ? [413, 429] : []
    const { status, body, headers } = await server.call({ method: 'POST', path, lines, expected })
    if (status >= 400)
      return { results: actions.map(() => ({ status: 429, reason: reasonOf(status, body) })), headers }
    const results = resultsIn(body)
    if (results.length !== actions.length) throw server.failure('its answer has no result for some writes')
    return { results, headers }
  }

  return async (actions, { isAlias } = { isAlias: false }) => {
    const refusal = (results: readonly ItemResult[]) => refusedWrites(server, results, actions.length)
    // A write to what is no alias would make an index of this name.
    const path = isAlias ? `${BULK_PATH}&require_alias=true` : BULK_PATH
    let left = actions
    let size = actions.length
    let fruitless = 0
    const wait = server.wait()
    /** What was last said of those that are left. */
    const said = new Map<BulkAction, ItemResult>()
    try {
      while (left.length > 0) {
        const [call, rest] = [left.slice(0, size), left.slice(size)]
        const { results, headers } = await send(call, path)
        const refused = results.filter(({ status }) => isRefusal(status))
        if (refused.length > 0) throw refusal(refused)
        const busy = call.filter((_, at) => PASSING_STATUS.has(results[at]!.status))
        for (const [at, action] of call.entries()) said.set(action, results[at]!)
        left = [...busy, ...rest]
        fruitless = busy.length < call.length ? 0 : fruitless + 1
        if (fruitless === 0) wait.over()
        if (busy.length === 0) {
          size = Math.ceil(call.length * GROWTH)
          continue
        }
        const last = results.find(({ status }) => PASSING_STATUS.has(status))!
        if (fruitless > 0 && !wait.goesOn(briefReason(last), fruitless))
          throw refusal(left.flatMap((action) => said.get(action) ?? []))
        size = Math.ceil(call.length / 2)
        await server.pause(fruitless + 1, headers)
      }
    } finally {
      wait.over()
    }
  }
}

const isRefusal = (status: number): boolean => status >= 300 && status !== 404 && !PASSING_STATUS.has(status)

/** The failure that tells each reason once, with how many of the writes have it. */
function refusedWrites(server: EngineServer, results: readonly ItemResult[], total: number): Error {
  const told = [...Map.groupBy(results, toldReason)].map(
    ([reason, { length }]) => `${reason}: ${length} of ${total} writes`,
  )
  const writes = told.join('; ')
  return server.failure(writes, { writes })
}

/** Why an index takes no writes, by what the products say. All others are told as they are, with their status. */
const BLOCKS: readonly (readonly [said: string, told: string])[] = [
  ['flood-stage', 'disk flood stage'],
  ['index read-only (api)', 'read-only index'],
  ['index write (api)', 'read-only index'],
  ['index_closed_exception', 'closed index'],
]

const blockIn = (reason: string): string | undefined => BLOCKS.find(([said]) => reason.includes(said))?.[1]

const toldReason = ({ status, reason }: ItemResult): string => blockIn(reason) ?? `${status} ${reason}`

/** The same for the progress of a job. */
const briefReason = ({ status, reason }: ItemResult): string => blockIn(reason) ?? `${status}`

/** The results in the order of the actions. */
function resultsIn(body: Json | undefined): ItemResult[] {
  const items = isObject(body) && Array.isArray(body.items) ? body.items : []
  return items.map((item) => {
    const [action, result] = isObject(item) ? (Object.entries(item)[0] ?? []) : []
    if (!isObject(result) || typeof result.status !== 'number') return { status: 500, reason: 'unknown' }
    // An index that is missing is no failure of a deletion, but is one of a write.
    if (result.status === 404 && action !== 'delete')
      return { status: 400, reason: `${nameIn(result._index)} is missing` }
    return { status: result.status, reason: reasonOf(result.status, result) }
  })
}

const nameIn = (index: unknown): string => (typeof index === 'string' ? index : 'the index')

/** What these say is about the server and its indexes. All others may quote a document. */
const ABOUT_THE_SERVER = new Set([
  'circuit_breaking_exception',
  'cluster_block_exception',
  'es_rejected_execution_exception',
  'index_closed_exception',
  'rejected_execution_exception',
])

function reasonOf(status: number, body: Json | undefined): string {
  const error = isObject(body) ? body.error : undefined
  if (!isObject(error) || typeof error.type !== 'string') return status === 413 ? 'too large' : 'unknown'
  const { type, reason } = error
  return ABOUT_THE_SERVER.has(type) && typeof reason === 'string' ? `${type}: ${reason}` : type
}
