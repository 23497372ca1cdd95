import type { Document } from '../contract/document.ts'
import type { Tool } from '../contract/tool.ts'
import { passagesText } from './passages.ts'

export type SearchTool = {
  /** A name that providers accept. */
  name: string
  description: string
  /** Whether the client gets the chunks too. */
  returnSourceDocuments: boolean
  search(query: string, signal: AbortSignal): Promise<Document[]>
}

const CITE =
  'Passages that match, best first. If the user asks for sources, name the source and place of those you used.'

/** A search as a tool: the model gives a query and reads the matching passages with their sources. */
export function searchTool({ name, description, returnSourceDocuments, search }: SearchTool): Tool {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'What to look for' } },
      required: ['input'],
      additionalProperties: false,
    },
    async call({ input }, signal) {
      if (typeof input !== 'string' || input.trim() === '')
        return { output: 'Nothing was searched: input is missing', failed: true }
      const documents = await search(input, signal)
      return {
        output: documents.length === 0 ? 'Nothing was found' : `${CITE}\n${passagesText(documents)}`,
        ...(returnSourceDocuments ? { documents } : {}),
      }
    },
  }
}
