import { z } from 'zod'
import { AUDIT_KINDS } from '../contract/audit-store.ts'
import { doc, docs, EXAMPLE_ID, EXAMPLE_MOMENT } from './doc.ts'
import { count, moment } from './json.ts'
import { pageQuery } from './paging.ts'

/** A row of the audit log. */
const entry = z.object({
  id: count.meta(doc('The number of the row', 17)),
  kind: z
    .enum(AUDIT_KINDS)
    .register(
      docs,
      doc(
        'change or read: a management call that changes or reads; refusal: a call that was refused with 401, 403 or 429',
        'change',
      ),
    ),
  at: moment.meta(doc('Time of the answer, ISO 8601 in UTC', EXAMPLE_MOMENT)),
  caller: z
    .string()
    .register(
      docs,
      doc(
        'The name of the key, ADMIN_KEY, studio session, no key, or an unknown key; several for merged refusals',
        'ops',
      ),
    ),
  keyId: z
    .string()
    .nullable()
    .register(docs, doc('The id of the key; null for ADMIN_KEY and unknown keys', EXAMPLE_ID)),
  method: z.string().register(docs, doc('The HTTP method of the call', 'PUT')),
  route: z
    .string()
    .register(docs, doc('The path of the route as in this description', '/api/v1/chatflows/:id')),
  object: z
    .string()
    .nullable()
    .register(docs, doc('The id in the path, or the id of the created object', EXAMPLE_ID)),
  status: count.meta(doc('The HTTP status of the answer', 200)),
  code: z.string().nullable().register(docs, doc('The code of the error; null if the call succeeded', null)),
  address: z.string().register(docs, doc('The address of the client', '127.0.0.1')),
  times: count.meta(
    doc('The number of equal reads or refusals within ten seconds that are counted in this row', 1),
  ),
})

export type AuditAnswer = z.output<typeof entry>

export const auditQuery = pageQuery.extend({
  kind: z.enum(AUDIT_KINDS).optional().register(docs, doc('Only rows of this kind', 'refusal')),
})

/** A page of the log, newest first; `total` counts the rows of all pages. */
export const auditLog = z.object({
  entries: z.array(entry).register(docs, doc('Rows of the audit log, newest first', [])),
  total: count.meta(doc('The number of rows on all pages', 1)),
})
