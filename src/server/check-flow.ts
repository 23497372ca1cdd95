import type { FlowContext } from '../contract/card.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { type CheckContext, findProblems } from '../flow/check/find-problems.ts'
import type { FlowProblem, RequestKind } from '../flow/check/flow-problem.ts'
import type { Platform } from './platform.ts'

export type Checks = Pick<Platform, 'catalog' | 'credentials' | 'flows' | 'nodeServices'>

/**
 * The services for building the parts of a flow only to check them: a credential that is read does not count as used, and no
 * engine is made for a store in another server.
 */
export const servicesForCheck = (
  { nodeServices, credentials }: Pick<Checks, 'nodeServices' | 'credentials'>,
  flowId: string,
): FlowContext => ({
  ...nodeServices,
  flowId,
  credential: (id, kinds) => credentials.open(id, kinds),
  openSeparateStore: (namespace) => nodeServices.openStore(namespace),
})

/** All problems of a drawing. @param flowId that of the flow; any text for a drawing that is not stored */
export async function checkDrawing(
  platform: Checks,
  flowData: unknown,
  flowId: string,
): Promise<FlowProblem[]> {
  const heads = await platform.flows.heads()
  const context: CheckContext = {
    catalog: platform.catalog,
    credentials: new Map((await platform.credentials.list()).map((one) => [one.id, one])),
    flows: new Set(heads.flatMap(({ id, slug }) => [id, slug])),
    context: servicesForCheck(platform, flowId),
  }
  return findProblems(flowData, context)
}

/** What the answer to a save says of the flow beside its row. */
export type SavedProblems = { problems: FlowProblem[]; warning: string | null }

/** The problems of a flow that was saved, and the sentence about those that refuse requests. */
export async function problemsOfSaved(platform: Checks, { id, flowData }: FlowRow): Promise<SavedProblems> {
  const problems = await checkDrawing(platform, flowData, id)
  return { problems, warning: warningOf(problems) }
}

const PLURALS: Record<RequestKind, string> = { upsert: 'upserts', query: 'queries', prediction: 'answers' }

/** "Saved, but upserts will fail: …"; null where all requests can run. */
export function warningOf(problems: readonly FlowProblem[]): string | null {
  const [first, ...others] = problems.filter(({ requests }) => requests.length > 0)
  if (!first) return null
  const failing = new Set([first, ...others].flatMap(({ requests }) => requests))
  const named = (Object.keys(PLURALS) as RequestKind[]).filter((kind) => failing.has(kind))
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `Saved, but ${named.map((kind) => PLURALS[kind]).join(' and ')} will fail: ${first.message}${more}`
}
