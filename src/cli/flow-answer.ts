import type { FlowAnswer, ListedFlowAnswer, SavedFlow } from '../api/flow.ts'
import type { FlowSummaryAnswer } from '../api/flow-summary.ts'
import type { Json } from '../kit/json.ts'
import { ServerRefusal } from './failure.ts'
import type { Client } from './http.ts'
import { printable } from './printable.ts'
import { readAnswer } from './read-answer.ts'
import type { World } from './world.ts'

export const flowPath = (flow: string): string => `chatflows/${encodeURIComponent(flow)}`

const shapes = () => import('../api/flow.ts')

/** @throws Failure where it is not a flow */
export const readFlow = (answer: Promise<Json>): Promise<FlowAnswer & Json> =>
  readAnswer(answer, async () => (await shapes()).shownFlow, 'a flow')

/** The answer to a save of a flow. */
export const readSavedFlow = (answer: Promise<Json>): Promise<SavedFlow & Json> =>
  readAnswer(answer, async () => (await shapes()).savedFlow, 'a saved flow')

/** Says what would be refused if the flow were called now. */
export function printWarning(
  { slug, warning }: Pick<SavedFlow, 'slug' | 'warning'>,
  { stderr }: World,
): void {
  if (warning !== null) stderr.write(`${printable(slug)}: ${printable(warning)}\n`)
}

/** @throws ServerRefusal where there is no such flow */
export const fetchFlow = (client: Client, flow: string): Promise<FlowAnswer & Json> =>
  readFlow(client.send('GET', flowPath(flow)))

/** The flows that the key of the client may see. */
export const fetchFlows = (client: Client): Promise<ListedFlowAnswer[]> =>
  readAnswer(
    client.send('GET', 'chatflows'),
    async () => (await shapes()).flowInList.array(),
    'a list of flows',
  )

/** The last upserts of flows by their ids; none where the key of the client may not see them. */
export async function fetchLastUpserts(
  client: Client,
): Promise<Map<string, FlowSummaryAnswer['lastUpsert']>> {
  const summaries = await readAnswer(
    client.send('GET', 'flows'),
    async () => (await import('../api/flow-summary.ts')).flowSummaryList,
    'a list of flows',
  ).catch((error: unknown) => {
    if (error instanceof ServerRefusal && [401, 403, 404].includes(error.status)) return []
    throw error
  })
  return new Map(summaries.map(({ id, lastUpsert }) => [id, lastUpsert]))
}
