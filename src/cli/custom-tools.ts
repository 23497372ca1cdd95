import type { CustomToolAnswer } from '../api/custom-tool.ts'
import { didYouMean } from '../kit/suggest.ts'
import { Failure } from './failure.ts'
import { findNamed } from './find-named.ts'
import type { Client } from './http.ts'
import { readAnswer } from './read-answer.ts'

/** The custom tools of the server, with the flows that use each. */
export async function fetchTools(client: Client): Promise<CustomToolAnswer[]> {
  return readAnswer(
    client.send('GET', 'tools?usage=true'),
    async () => (await import('../api/custom-tool.ts')).customToolShape.array(),
    'a list of tools',
  )
}

/** The tool with this id or name. @throws Failure with the most similar name */
export function findTool(given: string, rows: CustomToolAnswer[]): CustomToolAnswer {
  const found = findNamed(rows, given, { kind: 'tools', nameOf: ({ name }) => name })
  if (found) return found
  const names = rows.map(({ name }) => name)
  throw new Failure(`There is no tool ${given}`, didYouMean(given, names, 'sluice tool list lists them'))
}
