import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FlowRow, FlowStore } from '../contract/flow-store.ts'
import { SluiceError } from '../kit/errors.ts'
import { findFlow } from '../flow/find-flow.ts'

/** How many times a change is tried. It is tried again where another save came between reading and writing. */
const ATTEMPTS = 5

/** The entity tag of a flow (RFC 9110, 8.8.3): the number of its revision. */
export const sendTag = (reply: FastifyReply, { revision }: FlowRow): void =>
  void reply.header('etag', `"${revision}"`)

/**
 * Changes a stored flow and saves it as its newest revision. With `If-Match` the change is refused if the flow has another
 * revision by now. Without it, a change that meets another save is made again on the newest revision, so that neither is
 * lost.
 *
 * @param change makes the new flow from the stored one; it may be called several times
 * @throws SluiceError `flow_not_found`, `flow_changed`, `slug_taken`, and what `change` throws
 */
export async function saveFlow(
  flows: FlowStore,
  { id, request, reply }: { id: string; request: FastifyRequest; reply: FastifyReply },
  change: (stored: FlowRow) => FlowRow | Promise<FlowRow>,
): Promise<FlowRow> {
  const { caller: by } = await request.caller.forAudit()
  const based = tagIn(request.headers['if-match'])
  for (let attempt = 1; ; attempt++) {
    const stored = await findFlow(flows, id)
    const ifRevision = based ?? stored.revision
    if (ifRevision !== stored.revision)
      throw new SluiceError('flow_changed', { flow: stored.slug, found: stored.revision, based: ifRevision })
    try {
      const saved = await flows.update(await change(stored), { by, ifRevision })
      sendTag(reply, saved)
      return saved
    } catch (error) {
      const again = based === undefined && attempt < ATTEMPTS
      if (!again || !(error instanceof SluiceError) || error.code !== 'flow_changed') throw error
    }
  }
}

/** The number that `If-Match` names, of a revision or of a draft; undefined without the header, or with `*`. @throws SluiceError `header_invalid` */
export function tagIn(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const number = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(header)?.[1]
  if (number === undefined)
    throw new SluiceError('header_invalid', { header: 'If-Match', reason: 'it is not a tag such as "12"' })
  return Number(number)
}
