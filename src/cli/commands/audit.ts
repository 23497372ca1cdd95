import type { AuditAnswer } from '../../api/audit.ts'
import { AUDIT_KINDS } from '../../contract/audit-store.ts'
import { command } from '../command.ts'
import { count, flag, oneOf } from '../options.ts'
import { paintFor } from '../paint.ts'
import { readAnswer } from '../read-answer.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../server-options.ts'
import { table } from '../table.ts'

export const audit = command({
  summary: 'Lists calls of the management and refused calls, newest first; this is management',
  about:
    'Each row tells who called, from where, what was called, which object it named, and the status of the answer. Equal\n' +
    'refusals within ten seconds are one row. Bodies and keys are never written down.',
  options: {
    ...SERVER_OPTIONS,
    kind: oneOf(AUDIT_KINDS, 'only rows of this kind'),
    limit: count('how many at the most; 50 unless given'),
    json: flag('prints the rows as JSON'),
  },
  settings: SERVER_SETTINGS,
  examples: ['', '--kind refusal --limit 200'],
  async run({ world, config, options }) {
    const query = new URLSearchParams()
    if (options.kind !== undefined) query.set('kind', options.kind)
    if (options.limit !== undefined) query.set('limit', String(options.limit))
    const client = serverOf(options, config, world)
    const { entries, total } = await readAnswer(
      client.send('GET', `audit${query.size > 0 ? `?${query}` : ''}`),
      async () => (await import('../../api/audit.ts')).auditLog,
      'an audit log',
    )
    if (options.json) world.stdout.write(`${JSON.stringify(entries, null, 2)}\n`)
    else if (entries.length === 0) world.stderr.write('There is no such row.\n')
    else
      world.stdout.write(
        table<AuditAnswer>(
          entries,
          [
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
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    if (!options.json && total > entries.length)
      world.stderr.write(`${entries.length} of ${total} are shown.\n`)
    return 0
  },
})
