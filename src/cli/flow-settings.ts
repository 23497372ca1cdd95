import { isObject, type Json } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { flowPath } from './flow-answer.ts'
import { type Client, jsonBody } from './http.ts'
import { paintFor } from './paint.ts'
import { table } from './table.ts'
import type { World } from './world.ts'

/** What is read of the settings of a flow in an answer. */
export type SettingsAnswer = {
  id: string
  slug: string
  name: string
  type: string
  key: { id: string; name: string | null } | null
  overrides: boolean
  rateLimit: string
  holds: { sources: number; chunks: number; sharedWith: string[] }
  nodes: {
    id: string
    name: string
    label: string
    credential?: string | null
    credentialKinds?: string[]
    uploads?: boolean
    settings: { key: string; value: Json; isDefault: boolean; overridable: boolean }[]
  }[]
}

type Change = { key: string; node?: string; from: Json; to: Json }

/** What `flow set` answers. */
export type ChangeAnswer = { flow: { slug: string; name: string }; changes: Change[] }

export async function fetchSettings(client: Client, flow: string): Promise<SettingsAnswer> {
  const answer = await client.send('GET', `${flowPath(flow)}/settings`)
  if (!isObject(answer) || !Array.isArray(answer.nodes))
    throw new Failure('The server’s answer is not that of a flow’s settings')
  return answer as unknown as SettingsAnswer
}

/** Sets what is named. @throws Refusal where a name or a value does not fit; then nothing has changed */
export async function sendSettings(
  client: Client,
  flow: string,
  wanted: Record<string, string>,
): Promise<ChangeAnswer> {
  const answer = await client.send('PATCH', `${flowPath(flow)}/settings`, jsonBody({ set: wanted }))
  if (!isObject(answer) || !Array.isArray(answer.changes))
    throw new Failure('The server’s answer is not that of changed settings')
  return answer as unknown as ChangeAnswer
}

export function printChanges({ changes }: ChangeAnswer, { stdout, environment }: World): void {
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

/** A value on one line, cut where it is long. */
export function shown(value: Json): string {
  if (value === null || value === '') return '-'
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ')
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
