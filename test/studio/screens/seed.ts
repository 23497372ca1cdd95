import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { StoreChunkPage } from '../../../src/api/document-store-chunk.ts'
import { start, step, steps } from '../../support/agent-drawing.ts'
import { deck } from '../../support/small-files.ts'
import { seedComparison } from './compare.ts'
import { ADMIN_KEY, type TestPlatform } from '../../support/platform.ts'

/** 119 characters without a space. */
export const LONG_NAME = `${'annual-report-of-the-harbour-authority-'.repeat(3)}x`

/** Flows, documents and whatever else the full screens show. Each call is one that a person makes. */
export async function seedStudio(platform: TestPlatform): Promise<void> {
  const { status, text } = await platform.upload('quickstart', {
    'ferry.txt': 'The ferry to Bergen leaves at noon.\n\nIt takes nineteen hours. Dogs are welcome.',
    'tea.md': '# Tea\n\nTea is made of leaves.\n\n## Water\n\nWater for green tea has eighty degrees.',
    [`${LONG_NAME}.txt`]: 'The harbour earned 12 million in 2025.',
  })
  assert.equal(status, 200, text)
  const replies = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Replies',
    flowData: {
      nodes: [start(), step('directReplyAgentflow_0', { directReplyMessage: 'You said: {{question}}' })],
      edges: steps('startAgentflow_0 > directReplyAgentflow_0'),
    },
  })
  assert.equal(replies.status, 200, replies.text)
  const said = await platform.manage('POST', `/api/v1/internal-prediction/${replies.body.id}`, {
    question: `Hello, this is ${LONG_NAME}`,
    chatId: 'seeded',
  })
  assert.equal(said.status, 200, said.text)
  const event = readFileSync(new URL('../../../examples/event-agent.json', import.meta.url), 'utf8')
  const imported = await platform.manage(
    'POST',
    '/api/v1/chatflows/import?name=Event%20Agent',
    JSON.parse(event) as object,
  )
  assert.equal(imported.status, 200, imported.text)
  const blank = await platform.manage('POST', '/api/v1/chatflows', {
    name: 'Blank',
    type: 'CHATFLOW',
    flowData: '{"nodes":[],"edges":[]}',
  })
  assert.equal(blank.status, 200, blank.text)
  const drawing = JSON.parse(event) as { nodes: { data: { label?: string } }[] }
  drawing.nodes[0]!.data.label = LONG_NAME
  const revised = await platform.manage('PUT', '/api/v1/chatflows/event-agent', { flowData: drawing })
  assert.equal(revised.status, 200, revised.text)
  const old = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Old handbook',
    template: 'quickstart',
  })
  await platform.upload(old.body.id, { 'handbook.txt': 'The notice period is four weeks.' })
  const deleted = await platform.manage('DELETE', `/api/v1/chatflows/${old.body.id}`)
  assert.equal(deleted.status, 200, deleted.text)
  await seedComparison(platform)
  await seedStores(platform)
  await seedManual(platform)
  await seedQuestions(platform)
  await seedDraft(platform)
  await seedAccess(platform)
}

/** Document stores: one with files, and one without a loader and with a long name. */
async function seedStores(platform: TestPlatform): Promise<void> {
  const path = '/api/v1/document-store'
  for (const name of ['Harbour office', LONG_NAME]) {
    const made = await platform.manage('POST', `${path}/store`, {
      name,
      description: 'What the office knows',
    })
    assert.equal(made.status, 200, made.text)
  }
  const load = async (ferry: string, fields: Record<string, string>) => {
    const body = new FormData()
    body.append('files', new Blob([ferry]), 'ferry.txt')
    body.append('files', new Blob([LONG_NAME]), `${LONG_NAME}.txt`)
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const loaded = await platform.call<{ docId: string }>('POST', `${path}/upsert/harbour-office`, {
      body,
      key: ADMIN_KEY,
    })
    assert.equal(loaded.status, 200, loaded.text)
    return loaded.body.docId
  }
  const docId = await load('The ferry to Bergen leaves at noon.', { loaderName: 'Timetables' })
  const { body: page } = await platform.manage<StoreChunkPage>(
    'GET',
    `${path}/chunks/harbour-office/${docId}/1`,
  )
  // One edit stays, and the source of the other changes.
  for (const { id } of page.chunks) {
    const edited = await platform.manage('PUT', `${path}/chunks/harbour-office/${docId}/${id}`, {
      pageContent: `The office says ${LONG_NAME}`,
    })
    assert.equal(edited.status, 200, edited.text)
  }
  await load('The ferry to Bergen leaves at two.', { docId, replaceExisting: 'true' })
}

/** Questions with two runs, one judged by a document that is gone, and proposals. */
async function seedQuestions(platform: TestPlatform): Promise<void> {
  const call = async (path: string, body: object) => {
    const { status, text } = await platform.manage('POST', `/api/v1/${path}`, body)
    assert.equal(status, 200, text)
  }
  const judged = (text: string, source: string) => ({ text, judgements: [{ source, grade: 1 }] })
  await call('questions/quickstart', {
    questions: [
      judged('When does the ferry leave?', 'ferry.txt'),
      judged(`What is in ${LONG_NAME}?`, 'gone.txt'),
      { text: 'Who judges this?' },
    ],
  })
  await call('eval/quickstart', {})
  await call('questions/quickstart', { questions: [judged('How hot is water for tea?', 'tea.md')] })
  await call('eval/quickstart', {})
  const proposal = {
    ...judged('ferry noon hours dogs welcome', 'ferry.txt'),
    state: 'proposed',
    origin: 'proposal',
  }
  await call('questions/quickstart', { questions: [proposal] })
}

/** A flow that keeps files, with a PDF. */
async function seedManual(platform: TestPlatform): Promise<void> {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Manual',
    slug: 'manual',
    template: 'quickstart',
  })
  assert.equal(made.status, 200, made.text)
  const kept = await platform.manage('PATCH', '/api/v1/chatflows/manual/settings', {
    set: { originals: 'on' },
  })
  assert.equal(kept.status, 200, kept.text)
  const manual = readFileSync(new URL('../../../examples/documents/safety-manual.pdf', import.meta.url))
  const loaded = await platform.upload('manual', { 'safety-manual.pdf': new Uint8Array(manual) })
  assert.equal(loaded.status, 200, loaded.text)
  // With the cleanup none the earlier price stays beside the later one.
  await platform.manage('PATCH', '/api/v1/chatflows/manual/settings', { set: { cleanup: 'none' } })
  for (const price of ['The helmet costs 40 crowns.', 'A helmet costs as much as 45 crowns.'])
    await platform.upload('manual', { 'prices.txt': price })
  // Pictures on every second slide: places that do not join.
  const slides = Array.from({ length: 26 }, (_, n) => ({ text: `Slide ${n + 1}`, pictures: n % 2 }))
  await platform.upload('manual', { 'talk.pptx': deck(...slides) })
}

/** A flow with a kept file and a draft that would cut it otherwise. */
async function seedDraft(platform: TestPlatform): Promise<void> {
  const path = '/api/v1/chatflows/drafted'
  const made = await platform.manage('POST', '/api/v1/chatflows', {
    name: 'Drafted',
    slug: 'drafted',
    template: 'quickstart',
  })
  assert.equal(made.status, 200, made.text)
  await platform.manage('PATCH', `${path}/settings`, { set: { originals: 'on' } })
  const text = Array.from({ length: 60 }, (_, n) => `Berth ${n} takes ships of ${n + 40} metres.`)
  const loaded = await platform.upload('drafted', { [`${LONG_NAME}.txt`]: text.join('\n\n') })
  assert.equal(loaded.status, 200, loaded.text)
  const { body } = await platform.manage<{ flowData: string }>('GET', path)
  const drawing = JSON.parse(body.flowData) as {
    nodes: { data: { name: string; label: string; inputs: Record<string, unknown> } }[]
  }
  for (const { data } of drawing.nodes) {
    if (data.name === 'sluiceTextSplitter') Object.assign(data.inputs, { chunkSize: 200, chunkOverlap: 0 })
    if (data.name === 'fileLoader') data.label = LONG_NAME
  }
  const saved = await platform.manage('PUT', `${path}/draft`, { flowData: drawing })
  assert.equal(saved.status, 200, saved.text)
}

/** Keys, credentials and variables, each with a long name among them. */
async function seedAccess(platform: TestPlatform): Promise<void> {
  const rows: [path: string, body: object][] = [
    ['apikey', { keyName: 'website', scopes: ['query', 'predict'], flows: ['event-agent'] }],
    ['apikey', { keyName: LONG_NAME, expiresAt: new Date(Date.now() + 86_400_000).toISOString() }],
    [
      'credentials',
      {
        name: 'Team account',
        credentialName: 'openAIApi',
        plainDataObj: { openAIApiKey: 'sk-of-the-team' },
      },
    ],
    ['credentials', { name: LONG_NAME, credentialName: 'httpBasicAuth', plainDataObj: {} }],
    ['variables', { name: 'city', value: 'Bergen' }],
    ['variables', { name: 'api_address', type: 'runtime' }],
    ['variables', { name: LONG_NAME.replaceAll('-', '_'), value: LONG_NAME }],
  ]
  for (const [name, body] of rows) {
    const { status, text } = await platform.manage('POST', `/api/v1/${name}`, body)
    assert.equal(status, 200, text)
  }
}
