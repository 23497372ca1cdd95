import type { SettingsAnswer } from '../../../api/flow-settings.ts'
import { NO_KEY_YET } from '../../../contract/flow-store.ts'
import { isObject, parseJson } from '../../../kit/json.ts'
import { fetchFlow } from '../../flow-answer.ts'
import { fetchSettings, shown } from '../../flow-settings.ts'
import { flag } from '../../options.ts'
import { type Paint, paintFor } from '../../paint.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'
import { type Column, table } from '../../table.ts'
import { counted } from '../../units.ts'

export const showFlowCommand = serverCommand({
  summary: 'Shows a flow: its access, its documents, its nodes and their settings',
  args: ['<flow>'],
  about:
    'Settings that have their default value and cannot be overridden by requests are shown only with --all. "sluice flow set"\n' +
    'changes settings.',
  options: {
    all: flag('shows every setting'),
    json: flag('prints the server’s answer as it is'),
  },
  examples: ['quickstart', 'quickstart --all'],
  async run({ world, client, args, options }) {
    if (options.json) {
      world.stdout.write(`${JSON.stringify(await fetchFlow(client, args[0]!))}\n`)
      return 0
    }
    const paint = paintFor(world.stdout, world.environment)
    const flow = await fetchSettings(client, args[0]!)
    world.stdout.write(head(flow, paint))
    world.stdout.write(
      `\n${table(
        flow.nodes,
        [
          { title: 'node', value: (node) => node.id },
          { title: 'name', value: (node) => node.name },
          { title: 'label', value: (node) => node.label },
          { title: 'credential', value: credentialOf },
        ],
        paint,
      )}`,
    )
    const rows = flow.nodes.flatMap(({ label, settings }) =>
      settings
        .filter(({ isDefault, overridable }) => options.all || !isDefault || overridable)
        .map((setting) => ({ ...setting, node: label })),
    )
    if (rows.length > 0) world.stdout.write(`\n${table(rows, SETTING_COLUMNS, paint)}`)
    return 0
  },
})

type Row = SettingsAnswer['nodes'][number]['settings'][number] & { node: string }

const SETTING_COLUMNS: Column<Row>[] = [
  { title: 'setting', value: ({ key }) => key, style: () => 'bold' },
  {
    title: 'value',
    value: ({ value }) => shown(isObject(value) ? value : (readable(value) ?? value)),
    style: ({ isDefault }) => (isDefault ? 'dim' : undefined),
  },
  { title: 'override', value: ({ overridable }) => (overridable ? 'on' : '') },
  { title: 'node', value: ({ node }) => node, style: () => 'dim' },
]

/** The value of JSON text, which is shown without white space. */
const readable = (value: Row['value']) => (typeof value === 'string' ? parseJson(value) : undefined)

const credentialOf = ({ credential, credentialKinds }: SettingsAnswer['nodes'][number]) =>
  credentialKinds === undefined ? '' : (credential ?? `none (${credentialKinds.join(', ')})`)

function accessOf(key: SettingsAnswer['key']): string {
  if (!key) return 'open'
  if (key.name !== null) return `by the key ${printable(key.name)}`
  return key.id === NO_KEY_YET
    ? 'closed to all but managers until a key is bound (flow set key=NAME)'
    : `closed to all but managers: its key ${printable(key.id)} was deleted`
}

function head(
  { name, slug, id, key, overrides, rateLimit, holds, nodes }: SettingsAnswer,
  paint: Paint,
): string {
  const takers = nodes.filter(({ uploads }) => uploads !== undefined)
  const facts: [string, string][] = [
    ['access', accessOf(key)],
    ...(takers.length > 0
      ? [['uploads', takers.some(({ uploads }) => uploads) ? 'on' : 'off'] as [string, string]]
      : []),
    ['overrides', overrides ? 'on' : 'off'],
    ['rate limit', rateLimit],
    [
      'holds',
      `${counted(holds.sources, 'source')}, ${counted(holds.chunks, 'chunk')}${holds.sharedWith.length > 0 ? `, shared with ${printable(holds.sharedWith.join(', '))}` : ''}`,
    ],
  ]
  return [
    `${paint('bold', printable(name))}  ${printable(slug)}  ${paint('dim', id)}\n`,
    ...facts.map(([title, value]) => `${paint('dim', title.padEnd(11))}${value}\n`),
  ].join('')
}
