import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuditStore, auditKindOf } from '../contract/audit-store.ts'
import { isObject } from '../kit/json.ts'
import { type Access, type ServerRules, whoCalls } from './access.ts'
import type { Clients } from './door/client.ts'

/** The longest id that is written down, in characters. */
const LONGEST = 100

/** Notes calls of the management and refusals, once they are answered. */
export type AuditCalls = {
  /** Remembers what a call has made: its id is that of the object. */
  made(request: FastifyRequest, result: unknown): void
  /** Remembers why a call failed. */
  failed(request: FastifyRequest, code: string): void
  answered(gate: { access: Access; url: string }, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function auditCalls(audit: AuditStore, rules: ServerRules, clients: Clients): AuditCalls {
  const objects = new WeakMap<FastifyRequest, string>()
  const codes = new WeakMap<FastifyRequest, string>()
  return {
    made(request, result) {
      const id = idIn(result) ?? (isObject(result) ? idIn(result.flow) : undefined)
      if (id !== undefined) objects.set(request, id)
    },
    failed: (request, code) => void codes.set(request, code),
    async answered({ access, url }, request, reply) {
      const { method } = request
      const status = reply.statusCode
      if (access !== 'manage' && auditKindOf({ status, method }) !== 'refusal') return
      audit.note({
        at: Date.now(),
        ...(await whoCalls(rules, request.headers)),
        method,
        route: url,
        object: namedIn(request) ?? objects.get(request) ?? null,
        status,
        code: codes.get(request) ?? null,
        address: clients.of(request.raw).address,
      })
    },
  }
}

const idIn = (value: unknown): string | undefined =>
  isObject(value) && typeof value.id === 'string' ? value.id.slice(0, LONGEST) : undefined

/** What the path names; a key in it is no object. */
function namedIn({ params }: FastifyRequest): string | undefined {
  const { id, flowId } = params as { id?: string; flowId?: string }
  return (id ?? flowId)?.slice(0, LONGEST)
}
