import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowTextAnswer, ReadFlowTextAnswer, SavedFlowText } from '../../src/api/flow-text.ts'
import type { SavedFlow } from '../../src/api/flow.ts'
import { ADMIN_KEY, makePlatform, MORE_SERVERS } from '../support/platform.ts'

const platform = await makePlatform({}, { servers: MORE_SERVERS })

const newFlow = async (name: string): Promise<SavedFlow> => {
  const made = await platform.manage<SavedFlow>('POST', '/api/v1/chatflows', { name, template: 'quickstart' })
  assert.equal(made.status, 200, made.text)
  return made.body
}
const textOf = async (flow: string) =>
  (await platform.manage<FlowTextAnswer>('GET', `/api/v1/chatflows/${flow}/text`)).body
const put = (flow: string, text: string, headers: Record<string, string> = {}) =>
  platform.call<SavedFlowText & { code: string; message: string }>('PUT', `/api/v1/chatflows/${flow}/text`, {
    ...{ body: { text }, headers, key: ADMIN_KEY },
  })
const read = async (body: object) => {
  const answer = await platform.manage<ReadFlowTextAnswer>('POST', '/api/v1/flows/text', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('GET /chatflows/:id/text gives the text, and PUT of the same text makes no revision [flow:text-route]', async () => {
  const { slug, flowData } = await newFlow('Same text')
  const { text, revision } = await textOf(slug)
  assert.match(text, /^flow: Same text\n/)
  const saved = await put(slug, text)
  assert.equal(saved.status, 200, saved.text)
  assert.equal(saved.body.revision, revision)
  assert.equal(saved.body.flowData, flowData)
})

test('PUT /chatflows/:id/text changes drawing, name and settings, and is one revision [flow:text-route]', async () => {
  const { slug } = await newFlow('Changed text')
  const { text, revision } = await textOf(slug)
  const wanted = text
    .replace('flow: Changed text', 'flow: Better text\ncategory: Support')
    .replace('node: sluiceTextSplitter\n', 'node: sluiceTextSplitter\n    inputs:\n      chunkSize: 600\n')
  const saved = await put(slug, wanted)
  assert.equal(saved.status, 200, saved.text)
  assert.equal(saved.body.name, 'Better text')
  assert.equal(saved.body.category, 'Support')
  assert.equal(saved.body.revision, revision + 1)
  assert.equal((await textOf(slug)).text, wanted)
})

test('PUT /chatflows/:id/text with If-Match is refused after another save [flow:text-route]', async () => {
  const { slug, revision } = await newFlow('Stale text')
  const { text } = await textOf(slug)
  assert.equal((await put(slug, text.replace('Stale text', 'Newer'))).status, 200)
  const refused = await put(slug, text.replace('Stale text', 'Older'), { 'if-match': `"${revision}"` })
  assert.equal(refused.status, 412)
  assert.match((await textOf(slug)).text, /^flow: Newer\n/)
})

test('PUT /chatflows/:id/text refuses a text with a mistake, with its line, and changes nothing [flow:text-route]', async () => {
  const { slug } = await newFlow('Wrong text')
  const { text } = await textOf(slug)
  const refused = await put(slug, text.replace('node: fileLoader\n', 'node: fileLoder\n'))
  assert.equal(refused.status, 400)
  assert.equal(refused.body.code, 'flow_text_invalid')
  assert.match(
    refused.body.message,
    /line \d+, column 11: There is no node fileLoder: did you mean fileLoader\?/,
  )
  assert.equal((await textOf(slug)).text, text)
})

test('POST /flows/text gives problems of the flow at their lines, and of the text as errors [flow:text-route]', async () => {
  const { slug } = await newFlow('Lines')
  const { text } = await textOf(slug)
  const wrong = text.replace(
    'node: sluiceTextSplitter\n',
    'node: sluiceTextSplitter\n    inputs:\n      chunkSize: four\n',
  )
  const found = await read({ text: wrong, flow: slug })
  const line = wrong.split('\n').indexOf('      chunkSize: four') + 1
  assert.partialDeepStrictEqual(found.problems, [
    { line, column: 7, severity: 'warning', nodeId: 'sluiceTextSplitter_0', input: 'chunkSize' },
  ])
  assert.deepEqual(
    found.changes.map(({ text: said }) => said),
    [`${found.changes[0]!.text.split(':')[0]}: Chunk Size 1000 → four`],
  )
  const broken = await read({ text: `${text}nodes: {}\n`, flow: slug })
  assert.equal(broken.flow, null)
  assert.deepEqual(
    broken.problems.map(({ severity }) => severity),
    ['error'],
  )
})

test('POST /flows/text says which documents a text would have loaded again [flow:text-route]', async () => {
  const { slug } = await newFlow('Effects')
  const loaded = await platform.upload(slug, {
    'a.txt': 'The ferry leaves at noon.',
    'b.txt': 'It returns at six.',
  })
  assert.equal(loaded.status, 200, loaded.text)
  const { text } = await textOf(slug)
  const changed = text.replace(
    'node: sluiceTextSplitter\n',
    'node: sluiceTextSplitter\n    inputs:\n      chunkSize: 600\n',
  )
  assert.equal((await read({ text, flow: slug, effects: true })).index!.differing, 0)
  const { index } = await read({ text: changed, flow: slug, effects: true })
  assert.equal(index!.differing, 2)
  assert.match(index!.differences[0]!.summary, /^Chunk Size .* → 600$/)
  assert.equal((await textOf(slug)).text, text, 'nothing is stored')
})

test('POST /flows/text writes a drawing that is not stored, and reads a text onto it [flow:text-route]', async () => {
  const { flowData } = await newFlow('Draft')
  const drawing = JSON.parse(flowData) as object
  const { text, spans } = await read({ flowData: drawing })
  assert.doesNotMatch(text!, /^flow:/)
  assert.ok(spans.some(({ nodeId, input }) => nodeId === 'fileLoader_0' && input === null))
  const back = await read({ text, flowData: drawing })
  assert.equal(back.flow!.flowData, flowData)
  assert.deepEqual(back.changes, [])
  const named = await read({ text: `flow: Other\n${text}`, flowData: drawing })
  assert.match(named.problems[0]!.message, /^Name, category and settings are not changed here/)
})
