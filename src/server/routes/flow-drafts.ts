import type { FastifyReply } from 'fastify'
import { draftBody, draftHeader, draftState, publishedFlow, savedDraft } from '../../api/flow-draft.ts'
import { idParams } from '../../api/params.ts'
import type { FlowDraft } from '../../contract/flow-draft-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { drawingChanges } from '../../flow/drawing-changes.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { settingChangeText } from '../../flow/setting-change.ts'
import { jobsUnderWay } from '../../jobs/jobs-under-way.ts'
import { SluiceError } from '../../kit/errors.ts'
import { checkDrawing } from '../check-flow.ts'
import { whyNotPublished } from '../draft-refusal.ts'
import { checkCredentials } from '../flow-credentials.ts'
import { isoTime, MANAGEMENT, removalAnswer, removedRows } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'
import { sendTag, tagIn } from '../save-flow.ts'
import { patchedFlow, presentFlow } from './chatflows.ts'

/** How often a publication is tried: settings beside the drawing may be saved between reading and writing. */
const ATTEMPTS = 5

/** Drawings of flows that are stored and not live. */
export function flowDraftRoutes(platform: Platform): Route[] {
  const { flows, flowDrafts, catalog, config, evaluations, jobs } = platform
  const url = '/api/v1/chatflows/:id/draft'

  function present(flow: FlowRow, draft: FlowDraft | undefined) {
    const changes = draft ? drawingChanges(catalog, flow.flowData, draft.flowData) : []
    return {
      flow: flow.slug,
      revision: flow.revision,
      byDefault: config.STUDIO_DRAFTS,
      draft: draft ? presentDraft(draft) : null,
      changes,
      summary: changes.map(settingChangeText).join(', '),
    }
  }

  const problemsOf = async (flow: FlowRow, { flowData }: FlowDraft) =>
    (await checkDrawing(platform, { flowData, flowId: flow.id })).problems

  /** The jobs of a flow that go on with the drawing of their request. */
  const runningJobs = async (flowId: string) =>
    (await jobsUnderWay(jobs, { flowId, limit: 20 })).filter(
      ({ kind }) => kind !== 'dryRun' && kind !== 'verify',
    )

  return [
    route({
      ...MANAGEMENT,
      method: 'GET',
      url,
      summary: 'The draft of a flow: a drawing that is stored and not live, and what it changes',
      params: idParams,
      answer: { description: 'The draft, or null', shape: draftState },
      async handle({ params, reply }) {
        const flow = await findFlow(flows, params.id)
        const draft = await flowDrafts.find(flow.id)
        sendNumber(reply, draft)
        return present(flow, draft)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'PUT',
      url,
      summary:
        'Save a drawing as the draft of a flow, which stays as it is. With If-Match, only if the draft was not saved since',
      params: idParams,
      headers: draftHeader,
      body: draftBody,
      bodyMegabytes: 16,
      answer: { description: 'The draft, and what keeps it from being published', shape: savedDraft },
      async handle({ params, body, request, reply }) {
        const { caller: savedBy } = await request.caller.forAudit()
        const flow = await findFlow(flows, params.id)
        const { flowData } = patchedFlow(flow, { flowData: body.flowData }, Date.now())
        await checkCredentials(flowData, platform)
        const base = body.base ?? (await flowDrafts.find(flow.id))?.base ?? flow.revision
        const ifNumber = tagIn(request.headers['if-match'])
        const draft = await flowDrafts.save({
          ...{ flowId: flow.id, base, flowData, savedBy, savedAt: Date.now(), ifNumber },
        })
        sendNumber(reply, draft)
        const problems = await problemsOf(flow, draft)
        const now = await findFlow(flows, flow.id)
        return {
          ...present(now, draft),
          problems,
          warning: whyNotPublished(now, draft, problems)?.message ?? null,
        }
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'DELETE',
      url,
      summary: 'Remove the draft of a flow. With If-Match, only if it was not saved since',
      params: idParams,
      headers: draftHeader,
      answer: removalAnswer,
      async handle({ params, request }) {
        const { id } = await findFlow(flows, params.id)
        return removedRows((await flowDrafts.remove(id, tagIn(request.headers['if-match']))) ? 1 : 0)
      },
    }),
    route({
      ...MANAGEMENT,
      method: 'POST',
      url: `${url}/publish`,
      summary:
        'Make the draft of a flow its newest revision, which is live at once. Refused where it cannot run, where the live drawing was changed since, or where a question of a flow with `questions: block` would fail that passes now',
      params: idParams,
      headers: draftHeader,
      answer: {
        description: 'The flow as it is live now, and the jobs that go on with the drawing of before',
        shape: publishedFlow,
      },
      async handle({ params, request, reply, clientGone }) {
        const { caller: by } = await request.caller.forAudit()
        const wanted = tagIn(request.headers['if-match'])
        for (let attempt = 1; ; attempt++) {
          const flow = await findFlow(flows, params.id)
          const draft = await flowDrafts.find(flow.id)
          if (!draft) throw new SluiceError('draft_not_found', { flow: flow.slug })
          const problems = await problemsOf(flow, draft)
          const refusal = whyNotPublished(flow, draft, problems)
          if (refusal) throw refusal
          const published = patchedFlow(flow, { flowData: draft.flowData }, Date.now())
          await evaluations.checkPublish(flow, published, clientGone())
          try {
            const saved = await flowDrafts.publish({
              flow: published,
              ...{ number: wanted ?? draft.number, ifRevision: flow.revision, by },
            })
            sendTag(reply, saved)
            const running = await runningJobs(saved.id)
            return {
              ...presentFlow(saved),
              ...{ problems, warning: null },
              running: running.map(({ id, kind }) => ({ id, kind })),
              note: noteOf(running),
            }
          } catch (error) {
            const again = error instanceof SluiceError && error.code === 'flow_changed' && attempt < ATTEMPTS
            if (!again) throw error
          }
        }
      },
    }),
  ]
}

const sendNumber = (reply: FastifyReply, draft: FlowDraft | undefined): void =>
  void reply.header('etag', `"${draft?.number ?? 0}"`)

const presentDraft = ({ flowId: _, savedAt, ...draft }: FlowDraft) => ({
  ...draft,
  savedAt: isoTime(savedAt),
})

/** "An upsert runs …": what began before the publication keeps its drawing. */
function noteOf(running: readonly { id: string; kind: string }[]): string | null {
  const [first, ...others] = running
  if (!first) return null
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `The ${first.kind} job ${first.id}${more} began before and goes on with the drawing that was live then`
}
