import type { ChangedFlow, SettingsAnswer } from '../api/flow-settings.ts'
import type { Json } from '../kit/json.ts'
import { flowPath } from './flow-answer.ts'
import { type Client, jsonBody } from './http.ts'
import { paintFor } from './paint.ts'
import { readAnswer } from './read-answer.ts'
import { table } from './table.ts'
import type { World } from './world.ts'

const shapes = () => import('../api/flow-settings.ts')

export const fetchSettings = (client: Client, flow: string): Promise<SettingsAnswer> =>
  readAnswer(
    client.send('GET', `${flowPath(flow)}/settings`),
    async () => (await shapes()).settingsShape,
    'the settings of a flow',
  )

/** Changes settings: all of them, or none. @throws ServerRefusal for an unknown name and for an invalid value */
export const sendSettings = (
  client: Client,
  flow: string,
  wanted: Record<string, string>,
): Promise<ChangedFlow & Json> =>
  readAnswer(
    client.send('PATCH', `${flowPath(flow)}/settings`, jsonBody({ set: wanted })),
    async () => (await shapes()).changedFlow,
    'a change of settings',
  )

export function printChanges({ changes }: ChangedFlow, { stdout, environment }: World): void {
  stdout.write(
    table(
      changes,
      [
        { title: 'setting', value: ({ key }) => key, style: () => 'bold' },
        { title: 'node', value: ({ node }) => node },
        { title: 'before', value: ({ from }) => shown(from), style: () => 'dim' },
        { title: 'now', value: ({ to }) => shown(to), style: () => 'green' },
      ],
      paintFor(stdout, environment),
    ),
  )
}

/** A value on one line, cut to 80 characters. */
export function shown(value: Json): string {
  if (value === null || value === '') return '-'
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
