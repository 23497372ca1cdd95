import { flowParams } from '../../api/params.ts'
import { type StatsAnswer, statsShape } from '../../api/stats.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { FlowSize } from '../../contract/history-store.ts'
import { sumInvisible } from '../../documents/invisible.ts'
import { hasEnded } from '../../jobs/has-ended.ts'
import { NODE_STEPS } from '../../contract/job.ts'
import { namespacesOf } from '../../flow/namespaces.ts'
import type { JobView } from '../../jobs/active/job-view.ts'
import { isoTime, MANAGEMENT } from '../management.ts'
import type { Platform } from '../platform.ts'
import type { QueryLatencies } from '../query-latencies.ts'
import { type Route, route } from '../route.ts'
import { findFlow, flowSource } from '../../flow/find-flow.ts'

/** How many rows of the history are read, how many points there are at most, and how many upserts are shown. */
const LIMITS = { rows: 5000, points: 200, upserts: 20 }

/** Figures over time: chunks, the steps of the last upserts, times of queries. */
export function statsRoutes(platform: Platform, queryLatencies: QueryLatencies): Route[] {
  const { flows, history, jobs, stores } = platform
  const answer = {
    description:
      'Chunks after each upsert, the last 20 upserts, the chunks that no query finds, and the queries of the last 48 hours, oldest first',
    shape: statsShape,
  }

  async function statsOf(flow: FlowRow | undefined): Promise<StatsAnswer> {
    const flowId = flow?.id
    const invisible = await stores.invisible()
    const sizes = await history.sizes(flowId, LIMITS.rows)
    const { rows } = await jobs.list({ flowId, kind: 'upsert', offset: 0, limit: LIMITS.upserts })
    return {
      sizes: thinned(totalsOf(sizes)),
      upserts: rows
        .filter((job) => hasEnded(job.state) && job.startedAt !== null)
        .map(upsertOf)
        .toReversed(),
      invisible: sumInvisible(invisible, flow && namespacesOf(platform, flowSource(flow))),
      queries: queryLatencies.hours(flowId).map(({ at, ...hour }) => ({ hour: isoTime(at), ...hour })),
    }
  }

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/stats',
      summary:
        'Figures of all flows: chunks over time, the steps of the last upserts, times of queries per hour',
      answer,
      handle: () => statsOf(undefined),
    }),
    route({
      ...MANAGEMENT,
      method: 'GET',
      url: '/api/v1/stats/:flowId',
      summary: 'The same figures of one flow',
      params: flowParams,
      answer,
      handle: async ({ params }) => statsOf(await findFlow(flows, params.flowId)),
    }),
  ]
}

type Point = StatsAnswer['sizes'][number]

/** The sum over all flows after each upsert. A flow counts from its first upsert on. */
function totalsOf(sizes: readonly FlowSize[]): Point[] {
  const now = new Map<string, number>()
  let total = 0
  return sizes.map(({ flow, date, chunks }) => {
    total += chunks - (now.get(flow) ?? 0)
    now.set(flow, chunks)
    return { date: isoTime(date), chunks: total }
  })
}

/** At most `LIMITS.points` of the points, with the first and the last. */
function thinned(points: Point[]): Point[] {
  const step = (points.length - 1) / (LIMITS.points - 1)
  if (step <= 1) return points
  return Array.from({ length: LIMITS.points }, (_, i) => points[Math.round(i * step)]!)
}

function upsertOf({
  id,
  flowId,
  state,
  startedAt,
  finishedAt,
  progress,
}: JobView): StatsAnswer['upserts'][number] {
  const steps = Object.fromEntries(
    NODE_STEPS.map((step) => {
      const nodes = progress?.nodes?.filter((node) => node.step === step) ?? []
      return [step, Math.round(nodes.reduce((sum, { ms }) => sum + ms, 0))]
    }),
  ) as StatsAnswer['upserts'][number]['steps']
  return {
    jobId: id,
    flowId,
    state,
    finishedAt: isoTime(finishedAt!),
    ms: Math.max(0, finishedAt! - startedAt!),
    steps,
  }
}
