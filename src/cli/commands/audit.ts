import type { AuditAnswer } from '../../api/audit.ts'
import { AUDIT_KINDS } from '../../contract/audit-store.ts'
import { wholeNumber, flag, oneOf } from '../options.ts'
import { printRows } from '../print-rows.ts'
import { readAnswer } from '../read-answer.ts'
import { serverCommand } from '../server-command.ts'
import type { Column } from '../table.ts'

export const audit = serverCommand({
  summary: 'Lists management calls and refused calls, newest first (needs a key with the scope manage)',
  about:
    'Each row shows who called and from where, the route, the object that the call named, and the status of the answer.\n' +
    'Equal refusals within ten seconds are one row. The log holds no bodies and no keys.',
  options: {
    kind: oneOf(AUDIT_KINDS, 'only rows of this kind'),
    limit: wholeNumber('the most rows to show; 50 unless given'),
    json: flag('prints the rows as JSON'),
  },
  examples: ['', '--kind refusal --limit 200'],
  async run({ world, client, options: { kind, limit, json } }) {
    const query = new URLSearchParams()
    if (kind !== undefined) query.set('kind', kind)
    if (limit !== undefined) query.set('limit', String(limit))
    const { entries, total } = await readAnswer(
      client.send('GET', `audit?${query}`),
      async () => (await import('../../api/audit.ts')).auditLog,
      'an audit log',
    )
    printRows(entries, COLUMNS, { world, json, none: 'There is no such row.' })
    if (!json && total > entries.length) world.stderr.write(`${entries.length} of ${total} are shown.\n`)
    return 0
  },
})

const COLUMNS: Column<AuditAnswer>[] = [
  { title: 'at', value: (row) => row.at.slice(0, 19).replace('T', ' ') },
  { title: 'caller', value: (row) => row.caller, style: () => 'bold' },
  { title: 'call', value: (row) => `${row.method} ${row.route}` },
  { title: 'object', value: (row) => row.object ?? '' },
  {
    title: 'status',
    value: (row) => [row.status, row.code ?? ''].join(' ').trim(),
    style: (row) => (row.status < 400 ? 'green' : 'yellow'),
  },
  { title: 'times', value: (row) => row.times, right: true },
  { title: 'from', value: (row) => row.address },
]
