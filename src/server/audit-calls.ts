import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuditStore, auditKindOf } from '../contract/audit-store.ts'
import { isObject } from '../kit/json.ts'
import type { Access } from './access.ts'

/** The longest id that is written to the log, in characters. */
const LONGEST_ID = 100

/** Whether an answered call goes into the audit log: calls of the management, sign-ins, and refusals of any route. */
export const isAudited = (
  { access, audited = false }: { access: Access; audited?: boolean },
  { method }: FastifyRequest,
  { statusCode }: FastifyReply,
): boolean => access === 'manage' || audited || auditKindOf({ status: statusCode, method }) === 'refusal'

/** Writes an answered call to the audit log. A failure to do so is ignored. */
export async function auditCall(
  audit: AuditStore,
  route: string,
  request: FastifyRequest,
  { statusCode }: FastifyReply,
): Promise<void> {
  const at = Date.now()
  const sender = await request.caller.forAudit().catch(() => ({ caller: 'unknown', keyId: null }))
  audit.note({
    at,
    ...sender,
    method: request.method,
    route,
    object: idInPath(request) ?? request.objectId ?? null,
    status: statusCode,
    code: request.failureCode ?? null,
    address: request.client.address,
  })
}

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
