import type { Document } from '../contract/document.ts'
import type { Tool } from '../contract/tool.ts'

export type SearchTool = {
  /** What providers take for a name. */
  name: string
  description: string
  /** Whether the chunks are told to the client, besides the model. */
  returnSourceDocuments: boolean
  search(query: string, signal: AbortSignal): Promise<Document[]>
}

/** A search as a tool: the model says what it looks for and reads the passages that match. */
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
      const output = documents.map(({ pageContent }) => pageContent).join('\n\n')
      return {
        output: output === '' ? 'Nothing was found' : output,
        ...(returnSourceDocuments ? { documents } : {}),
      }
    },
  }
}
