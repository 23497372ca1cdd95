import type { DraftStateAnswer } from '../api/flow-draft.ts'
import type { Json } from '../kit/json.ts'
import { Failure } from './failure.ts'
import { flowPath } from './flow-answer.ts'
import type { Client } from './http.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { readAnswer } from './read-answer.ts'

export const draftPath = (flow: string): string => `${flowPath(flow)}/draft`

/** What of a flow is not live. @throws ServerRefusal where there is no such flow */
export const fetchDraft = (client: Client, flow: string): Promise<DraftStateAnswer & Json> =>
  readAnswer(
    client.send('GET', draftPath(flow)),
    async () => (await import('../api/flow-draft.ts')).draftState,
    'the draft of a flow',
  )

/** The draft of a state. @throws Failure where there is none */
export function requireDraft({ flow, draft }: DraftStateAnswer): NonNullable<DraftStateAnswer['draft']> {
  if (draft) return draft
  throw new Failure(`The flow ${flow} has no draft`, `sluice flow draft save ${flow} FILE makes one`)
}

/** A draft as lines: of which revision, by whom and when, and what it changes. */
export function draftLines({ flow, revision, draft, changes }: DraftStateAnswer, paint: Paint): string {
  if (!draft) return `The flow ${printable(flow)} has no draft: revision ${revision} is live.\n`
  const { base, savedAt, savedBy, stale } = draft
  const when = savedAt.slice(0, 19).replace('T', ' ')
  const lines = [
    `Draft of revision ${base} of ${printable(flow)}, saved ${when} by ${printable(savedBy)}`,
    ...changes.map(({ nodeId, label, from, to }) =>
      printable(
        `  ${label} ${writtenValue(from)} → ${writtenValue(to)}${nodeId === '' ? '' : `  (${nodeId})`}`,
      ),
    ),
  ]
  if (changes.length === 0) lines.push('  It does the same as the live drawing.')
  if (stale)
    lines.push(
      `${paint('yellow', 'stale')}  The live drawing was changed since: its revision is ${revision}. Merge both, and save with --base ${revision}`,
    )
  return lines.map((line) => `${line}\n`).join('')
}

const writtenValue = (value: Json): string =>
  value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)

/** The header that names the draft that a request is based on. */
export const onlyDraft = (number: number): Record<string, string> => ({ 'if-match': `"${number}"` })
