import { MANAGEMENT, isoTime } from '../management.ts'
import { auditLog, auditQuery } from '../../api/audit.ts'
import { auditKindOf } from '../../contract/audit-store.ts'
import { toRange } from '../../kit/paging.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

export function auditRoutes({ audit }: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/api/v1/audit',
      summary: 'Calls of the management and refused calls, newest first: who, what, and with which result',
      ...MANAGEMENT,
      query: auditQuery,
      answer: {
        description: 'At most 10,000 changes and 10,000 reads and refusals, of the last 180 days',
        shape: auditLog,
      },
      async handle({ query }) {
        await audit.flush()
        const { rows, total } = await audit.list({ kind: query.kind, ...toRange(query) })
        const entries = rows.map(({ at, ...row }) => ({
          ...row,
          kind: auditKindOf(row),
          at: isoTime(at),
        }))
        return { entries, total }
      },
    }),
  ]
}
