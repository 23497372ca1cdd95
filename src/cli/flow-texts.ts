import type { FlowTextAnswer, ReadFlowTextAnswer } from '../api/flow-text.ts'
import { ServerRefusal } from './failure.ts'
import { flowPath } from './flow-answer.ts'
import type { FlowFile } from './flow-folder.ts'
import { type Client, jsonBody } from './http.ts'
import { printable } from './printable.ts'
import { readAnswer } from './read-answer.ts'

export const textPath = (flow: string): string => `${flowPath(flow)}/text`

const shapes = () => import('../api/flow-text.ts')

/** The text of a flow of the server; undefined where there is none of this name. */
export async function fetchText(client: Client, flow: string): Promise<FlowTextAnswer | undefined> {
  try {
    return await readAnswer(
      client.send('GET', textPath(flow)),
      async () => (await shapes()).flowText,
      'the text of a flow',
    )
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 404) return undefined
    throw error
  }
}

/** What the server makes of a text. @param flow the flow that the text changes; none for a new one */
export const sendText = (
  client: Client,
  { text, flow, effects = false }: { text: string; flow?: string | undefined; effects?: boolean },
): Promise<ReadFlowTextAnswer> =>
  readAnswer(
    client.send('POST', 'flows/text', jsonBody({ text, ...(flow === undefined ? {} : { flow }), effects })),
    async () => (await shapes()).readFlowTextAnswer,
    'the reading of a text',
  )

/** A file compared with the flow of the server. `same`: equal but for comments and the way of writing. */
export type ComparedFile = {
  flow: string
  file: string
  state: 'same' | 'changed' | 'new' | 'invalid'
  stored: FlowTextAnswer | undefined
  read: ReadFlowTextAnswer
}

/** Compares a file with the flow of the same slug. @param effects whether to find out what it means for the documents */
export async function compareFile(
  client: Client,
  { slug, file, text }: FlowFile,
  effects = false,
): Promise<ComparedFile> {
  const stored = await fetchText(client, slug)
  const read = await sendText(client, { text, flow: stored?.id, effects: effects && stored !== undefined })
  const state =
    read.text === null ? 'invalid' : !stored ? 'new' : read.text === stored.text ? 'same' : 'changed'
  return { flow: slug, file, state, stored, read }
}

/** `quickstart.yaml:12:7: There is no node …`, a line for each problem. */
export const problemLines = (
  file: string,
  { problems }: Pick<ReadFlowTextAnswer, 'problems'>,
  severity: 'error' | 'warning',
): string[] =>
  problems
    .filter((problem) => problem.severity === severity)
    .map(({ line, column, message }) => `${printable(file)}:${line}:${column}: ${printable(message)}`)

/** A comparison for `--json`. */
export const comparedJson = ({ flow, file, state, stored, read }: ComparedFile) => ({
  flow,
  file,
  state,
  revision: stored?.revision ?? null,
  changes: read.changes,
  problems: read.problems,
  missing: read.missing,
})
