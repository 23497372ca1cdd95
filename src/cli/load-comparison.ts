import type { LoadComparisonAnswer } from '../api/refresh.ts'
import { ServerRefusal } from './failure.ts'
import type { Client } from './http.ts'
import { type Paint, paintFor } from './paint.ts'
import { printable } from './printable.ts'
import { readAnswer } from './read-answer.ts'
import { counted } from './units.ts'
import type { World } from './world.ts'

export const refreshPath = (flow: string): string => `vector/refresh/${encodeURIComponent(flow)}`

/** How the documents of a flow differ from its settings; undefined where the server cannot tell: it is older, or the flow has no store. */
export async function fetchComparison(
  client: Client,
  flow: string,
): Promise<LoadComparisonAnswer | undefined> {
  try {
    return await readAnswer(
      client.send('GET', refreshPath(flow)),
      async () => (await import('../api/refresh.ts')).loadComparison,
      'a comparison of documents with settings',
    )
  } catch (error) {
    if (error instanceof ServerRefusal && error.status < 500 && error.status !== 401) return undefined
    throw error
  }
}

/** Says on stderr which documents were loaded with other settings than the flow has now, and the command that helps. */
export async function warnOfOldLoads(client: Client, flow: string, world: World): Promise<void> {
  const found = await fetchComparison(client, flow)
  if (found) world.stderr.write(comparisonLines(found, flow, paintFor(world.stderr, world.environment)))
}

/** The same as lines; empty where nothing differs. */
export function comparisonLines(found: LoadComparisonAnswer, flow: string, paint: Paint): string {
  const { next, embedders, differences, unknownSettings } = found
  const warning = `${paint('yellow', 'warning')}  `
  const lines = differences.map(
    ({ differing, summary }) =>
      `${warning}${counted(differing, 'document')} loaded with other settings: ${printable(summary)}\n`,
  )
  if (next === 'reindex')
    lines.push(
      embedders
        ? `${warning}The stored vectors are of ${printable(embedders.from)}, and the flow embeds with ${printable(embedders.to)}: sluice reindex ${flow}\n`
        : `${warning}The stored vectors are in another vector engine: sluice reindex ${flow}\n`,
    )
  else if (next === 'refresh') lines.push(`Load again what differs: sluice refresh ${flow}\n`)
  if (unknownSettings > 0)
    lines.push(
      `Of ${counted(unknownSettings, 'document')} it is not known with which settings each was loaded.\n`,
    )
  return [...lines, ...neededLines(found.filesNeeded, flow)].join('')
}

/** The files that must be sent again. */
export function neededLines({ count, names }: LoadComparisonAnswer['filesNeeded'], flow: string): string[] {
  if (count === 0) return []
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  return [
    `${counted(count, 'file')} not kept, to be sent again with sluice upsert ${flow}: ${printable(names.join(', '))}${more}\n`,
  ]
}
