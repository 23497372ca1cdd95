import assert from 'node:assert/strict'
import { drawFlow } from './flow-drawing.ts'
import type { Answer } from './platform.ts'
import type { ProviderServer } from './provider-server.ts'

type Manage = <Body>(
  method: string,
  path: string,
  body?: object,
) => Promise<Pick<Answer<Body>, 'status' | 'body'>>

/** A text of so many chunks. The default is still being read while a provider holds its first answers. */
export const longText = (word: string, chunks = 20_000): string =>
  Array.from({ length: chunks }, (_, line) => `Line ${line} of a very long book about the ${word}.`).join(
    '\n',
  )

/**
 * Stores a flow that embeds with a provider of the test, and gives its slug. With `provider.hold(…)` its upserts run until
 * they are cancelled or the provider is released, however fast the machine is. The id of its embeddings is
 * `builtInEmbeddings_0`.
 */
export async function heldFlow(manage: Manage, provider: ProviderServer, name: string): Promise<string> {
  const drawing = drawFlow({ name, splitter: { chunkSize: 60, chunkOverlap: 0 }, recordManager: {} })
  const { nodes } = drawing.flowData as unknown as { nodes: { data: { name: string } }[] }
  const embeddings = nodes.find(({ data }) => data.name === 'builtInEmbeddings')!
  const inputs = { openAIApiKey: 'none', basepath: `${provider.url}/v1`, batchSize: 10, timeout: 600_000 }
  Object.assign(embeddings.data, { name: 'openAIEmbeddings', label: 'OpenAI Embeddings', inputs })
  const { status, body } = await manage<{ slug: string }>('POST', '/api/v1/chatflows', drawing)
  assert.equal(status, 200, JSON.stringify(body))
  return body.slug
}
