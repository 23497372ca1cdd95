import { auditLog, auditQuery } from '../../api/audit.ts'
import { auditKindOf } from '../../callers/audit-kind.ts'
import { toRange } from '../../kit/paging.ts'
import { MANAGEMENT, isoTime } from '../management.ts'
import type { Platform } from '../platform.ts'
import { type Route, route } from '../route.ts'

export function auditRoutes({ audit }: Platform): Route[] {
  return [
    route({
      method: 'GET',
      url: '/api/v1/audit',
      summary: 'The audit log, newest first: management calls and refused calls, each with caller and result',
      ...MANAGEMENT,
      query: auditQuery,
      answer: {
        description:
          'A page of rows. The log keeps at most 10,000 changes and 10,000 reads and refusals, for 180 days',
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
