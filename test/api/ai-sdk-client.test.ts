import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { embed, generateText, streamText } from 'ai'
import { documentFlow, overridable } from '../support/chat-flows.ts'
import { startChatServer } from '../support/chat-server.ts'
import { collect } from '../support/collect.ts'
import { makePlatform } from '../support/platform.ts'

/** The AI SDK, unmodified, with a flow as its model. */

const [platform, model] = await Promise.all([makePlatform(), startChatServer()])
after(() => model.close())

const key = await platform.key({ scopes: ['predict', 'upsert'] })
const { body: flow } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
  name: 'Otters',
  flowData: documentFlow(model.url),
  apiConfig: overridable('files'),
})
await platform.upload(flow.id, { 'otters.txt': 'Otters hold hands while they sleep.' })

const baseURL = `${platform.url}/v1`
const openAI = createOpenAI({ baseURL, apiKey: key.apiKey })
const compatible = createOpenAICompatible({ name: 'sluice', baseURL, apiKey: key.apiKey })

for (const { name, chat } of [
  { name: 'as OpenAI', chat: openAI.chat('otters') },
  { name: 'as a server with the same protocol', chat: compatible.chatModel('otters') },
]) {
  test(`the AI SDK asks a flow ${name} [predict:openai]`, async () => {
    model.script({ text: 'They hold hands.' })
    const { text, usage } = await generateText({ model: chat, prompt: 'How do otters sleep?' })
    assert.equal(text, 'They hold hands.')
    assert.ok(usage.outputTokens! > 0)
  })

  test(`the AI SDK streams the answer of a flow ${name} [predict:openai]`, async () => {
    model.script({ text: 'They hold hands.' })
    const { textStream, finishReason } = streamText({ model: chat, prompt: 'How do otters sleep?' })
    assert.deepEqual(await collect(textStream), ['They', ' hold', ' hands.'])
    assert.equal(await finishReason, 'stop')
  })
}

test('the AI SDK gets the sources of a flow from the annotations [predict:openai]', async () => {
  model.script({ text: 'They hold hands.' })
  const { sources } = await generateText({ model: openAI.chat('otters'), prompt: 'How do otters sleep?' })
  assert.partialDeepStrictEqual(sources, [
    { sourceType: 'url', title: 'otters.txt', url: 'urn:source:otters.txt' },
  ])
})

test('the AI SDK embeds with the model in the box [predict:openai]', async () => {
  const { embedding, usage } = await embed({
    model: compatible.embeddingModel('builtin'),
    value: 'Otters hold hands.',
  })
  assert.equal(embedding.length, 256)
  assert.ok(usage.tokens > 0)
})
