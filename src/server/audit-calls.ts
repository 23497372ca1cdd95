import type { FastifyRequest } from 'fastify'
import { type AuditStore, REFUSED } from '../contract/audit-store.ts'
import { isObject } from '../kit/json.ts'
import type { Access } from './access.ts'

/** The longest id that is written to the log, in characters. */
const LONGEST_ID = 100

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether all calls of the route go into the audit log. */
    audited?: boolean
  }
}

/** Whether all calls of a route go into the audit log: those of the management, and sign-ins. */
export const isAudited = ({ access, audited = false }: { access: Access; audited?: boolean }): boolean =>
  access === 'manage' || audited

/** Whether a failure goes into the audit log on every route. */
export const isRefusal = (status: number): boolean => REFUSED.includes(status)

/**
 * Writes a call to the audit log. A failure to do so is ignored. Of callers that may not manage, only refusals are
 * written: such callers change nothing, and many of their calls would push the changes out of the log.
 */
export async function auditCall(audit: AuditStore, request: FastifyRequest, status: number): Promise<void> {
  const at = Date.now()
  if (!isRefusal(status) && !(await mayManage(request))) return
  const sender = await request.caller.forAudit().catch(() => ({ caller: 'unknown', keyId: null }))
  audit.note({
    at,
    ...sender,
    method: request.method,
    route: request.routeOptions.url ?? '',
    object: idInPath(request) ?? request.objectId ?? null,
    status,
    code: request.failureCode ?? null,
    address: request.client.address,
  })
}

/** Also true for a caller that signed in by this call. */
const mayManage = async ({ caller }: FastifyRequest): Promise<boolean> =>
  caller.session !== undefined || (await caller.name().catch(() => undefined)) === 'manager'

/** The id of what a call of the management created or changed, from its answer. */
export function objectIdOf(answer: unknown): string | undefined {
  return idIn(answer) ?? (isObject(answer) ? idIn(answer.flow) : undefined)
}

const idIn = (value: unknown): string | undefined =>
  isObject(value) && typeof value.id === 'string' ? value.id.slice(0, LONGEST_ID) : undefined

/** The id of an object or flow in the path; a key in the path is not written down. */
function idInPath({ params }: FastifyRequest): string | undefined {
  const { id, flowId } = params as { id?: string; flowId?: string }
  return (id ?? flowId)?.slice(0, LONGEST_ID)
}
