import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { localAIEmbedder } from '../../src/embed/local-ai.ts'
import { ollamaEmbedder } from '../../src/embed/ollama.ts'
import { openAIEmbedder } from '../../src/embed/openai.ts'
import { createEgress } from '../../src/kit/egress/client.ts'
import { createEgressRules } from '../../src/kit/egress/rules.ts'
import { startProviderServer } from '../support/provider-server.ts'

const corpus = process.env.SLUICE_CORPUS

/** The shapes of requests and answers, as the providers publish them. */
const SHAPES = {
  openai: { request: 'CreateEmbeddingRequest', answer: 'CreateEmbeddingResponse' },
  ollama: { request: 'EmbedRequest', answer: 'EmbedResponse' },
} as const

type Provider = keyof typeof SHAPES

/** A check of a value against a shape of a description; it throws what is wrong. */
function checker(provider: Provider) {
  const file = path.join(corpus!, 'specs', `${provider}.yaml`)
  // Descriptions carry keywords of their own (x-…, example, nullable): they say nothing of a value.
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(parse(readFileSync(file, 'utf8')) as object, provider)
  return (shape: string, value: unknown) => {
    const check = ajv.getSchema(`${provider}#/components/schemas/${shape}`)!
    assert.ok(check(value), `${provider} ${shape}: ${ajv.errorsText(check.errors)}`)
  }
}

if (corpus === undefined) {
  test('providers are spoken to as their descriptions say', { skip: 'SLUICE_CORPUS is not set' })
} else {
  test('providers are spoken to as their descriptions say, and the scripted server answers so', async (t) => {
    const server = await startProviderServer()
    const egress = createEgress({ rules: createEgressRules({ loopback: true }) })
    t.after(() => egress.close().then(server.close))
    const checks = { openai: checker('openai'), ollama: checker('ollama') }
    assert.throws(() => checks.openai('CreateEmbeddingRequest', { input: 'without a model' }), /model/)
    assert.throws(() => checks.ollama('EmbedResponse', { embeddings: ['no numbers'] }), /array/)
    const seen: string[] = []
    const wrong: string[] = []
    server.observe = (kind, { protocol }, value) => {
      if (protocol === 'google' || protocol === 'dialect') return
      seen.push(`${protocol} ${kind}`)
      try {
        checks[protocol](SHAPES[protocol][kind], value)
      } catch (error) {
        wrong.push((error as Error).message)
      }
    }
    const base = { egress, model: 'text-embedding-3-small', cut: true, apiKey: async () => 'a key' }
    const baseURL = `${server.url}/v1`
    for (const embedder of [
      openAIEmbedder({ ...base, baseURL }),
      openAIEmbedder({ ...base, baseURL, dimensions: 8 }),
      localAIEmbedder({ ...base, baseURL }),
      ollamaEmbedder({
        ...base,
        baseURL: server.url,
        options: { num_gpu: 1, num_thread: 2, use_mmap: true },
      }),
    ]) {
      await embedder.embed(['one', 'two'])
      await embedder.embedQuery('three')
    }
    assert.deepEqual(wrong, [])
    assert.deepEqual(server.violations, [])
    assert.equal(seen.filter((one) => one === 'openai answer').length, 6)
    assert.equal(seen.filter((one) => one === 'ollama answer').length, 2)
  })
}
