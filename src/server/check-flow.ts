import type { FlowContext } from '../contract/card.ts'
import type { CustomToolRow } from '../contract/custom-tool-store.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import { checkFlow, type FlowCheck } from '../flow/check/check-flow.ts'
import type { CheckContext } from '../flow/check/find-problems.ts'
import { type FlowProblem, PLURALS, type RequestKind } from '../flow/check/flow-problem.ts'
import type { ReportRow } from '../flow/check/report-row.ts'
import type { Platform } from './platform.ts'

export type Checks = Pick<Platform, 'catalog' | 'credentials' | 'flows' | 'variables' | 'nodeServices'>

/**
 * The services for building the parts of a flow only to check them: a credential that is read does not count as used, and no
 * engine is made for a store in another server.
 *
 * @param more custom tools that are not stored yet, by id
 */
export const servicesForCheck = (
  { nodeServices, credentials }: Pick<Checks, 'nodeServices' | 'credentials'>,
  flowId: string,
  more?: ReadonlyMap<string, CustomToolRow>,
): FlowContext => ({
  ...nodeServices,
  flowId,
  ...(more ? { customTools: withMore(nodeServices.customTools, more) } : {}),
  credential: (id, kinds) => credentials.open(id, kinds),
  openSeparateStore: (namespace) => nodeServices.openStore(namespace),
})

const withMore = (
  stored: FlowContext['customTools'],
  more: ReadonlyMap<string, CustomToolRow>,
): FlowContext['customTools'] => ({ ...stored, find: async (id) => more.get(id) ?? stored.find(id) })

/** What this server has that flows may name. `customTools`: those of an export that is not imported yet, by id. */
export type CheckedAgainst = Omit<CheckContext, 'context' | 'catalog'> & {
  customTools?: ReadonlyMap<string, CustomToolRow>
}

export async function checkedAgainst(platform: Checks): Promise<CheckedAgainst> {
  const heads = await platform.flows.heads()
  return {
    credentials: new Map((await platform.credentials.list()).map((one) => [one.id, one])),
    flows: new Set(heads.flatMap(({ id, slug }) => [id, slug])),
    variables: new Set((await platform.variables.list()).map(({ name }) => name)),
  }
}

/**
 * Checks a drawing as `checkFlow` does.
 *
 * @param flowId that of the flow; any text for a drawing that is not stored
 * @param more rows that a check cannot know
 * @param against what flows may name; by default what this server has now
 */
export async function checkDrawing(
  platform: Checks,
  { flowData, flowId }: { flowData: unknown; flowId: string },
  more: readonly ReportRow[] = [],
  against?: CheckedAgainst,
): Promise<FlowCheck> {
  const { catalog } = platform
  const { customTools, ...named } = against ?? (await checkedAgainst(platform))
  const context = servicesForCheck(platform, flowId, customTools)
  return checkFlow(flowData, { catalog, context, ...named }, more)
}

/** What the answer to a save says of the flow beside its row. */
export type SavedProblems = { problems: FlowProblem[]; warning: string | null }

/** The problems of a flow that was saved, and the sentence about those that refuse requests. */
export async function problemsOfSaved(platform: Checks, { id, flowData }: FlowRow): Promise<SavedProblems> {
  const { problems } = await checkDrawing(platform, { flowData, flowId: id })
  return { problems, warning: warningOf(problems) }
}

/** "Saved, but upserts will fail: …"; null where all requests can run. */
export function warningOf(problems: readonly FlowProblem[]): string | null {
  const failing = whatFails(problems, 'will fail')
  return failing === undefined ? null : `Saved, but ${failing}`
}

/** "upserts and queries would fail: …"; undefined where all requests can run. */
export function whatFails(
  problems: readonly FlowProblem[],
  verb: 'will fail' | 'would fail',
): string | undefined {
  const [first, ...others] = problems.filter(({ requests }) => requests.length > 0)
  if (!first) return undefined
  const failing = new Set([first, ...others].flatMap(({ requests }) => requests))
  const named = (Object.keys(PLURALS) as RequestKind[]).filter((kind) => failing.has(kind))
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `${named.map((kind) => PLURALS[kind]).join(' and ')} ${verb}: ${first.message}${more}`
}
