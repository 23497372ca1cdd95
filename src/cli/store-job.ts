import type { z } from 'zod'
import type { Json } from '../kit/json.ts'
import { resultOf } from './follow-job.ts'
import { type Client, jsonBody } from './http.ts'
import { paintFor } from './paint.ts'
import { showProgress } from './progress.ts'
import { type LoadShape, readAnswer } from './read-answer.ts'
import type { World } from './world.ts'

/** `path` below `/api/v1`; `store`: the id of a vector store node. `shape` and `expected` as in `readAnswer`. */
type StoreJob<S extends z.ZodType> = {
  path: string
  store: string | undefined
  shape: LoadShape<S>
  expected: string
}

/**
 * Sends a request about the store of a flow that the server runs as a job, and shows its progress.
 *
 * @throws Failure where the job failed, or the server does not come back
 */
export async function runStoreJob<S extends z.ZodType>(
  world: World,
  client: Client,
  { path, store, shape, expected }: StoreJob<S>,
): Promise<z.output<S> & Json> {
  const progress = showProgress(world, 0, paintFor(world.stderr, world.environment))
  try {
    progress.uploaded()
    const body = jsonBody(store === undefined ? {} : { stopNodeId: store })
    const first = await client.send('POST', path, body, { prefer: 'respond-async' })
    return await readAnswer(resultOf(client, first, progress), shape, expected)
  } finally {
    progress.end()
  }
}
