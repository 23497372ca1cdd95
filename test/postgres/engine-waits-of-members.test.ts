import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { JobAnswer } from '../../src/api/job.ts'
import type { Retrieved } from '../../src/retrieve/answer.ts'
import { replies, startFront } from '../support/engines/front.ts'
import { realEngineAddress } from '../support/engines/real/real-engine.ts'
import { startScriptedEngine } from '../support/engines/scripted-engine.ts'
import { searchProtocol } from '../support/engines/scripted-search.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { needs } from '../support/needs.ts'
import { ADMIN_KEY, form } from '../support/platform.ts'
import { newPostgres } from '../support/postgres.ts'
import { room, run, start } from '../support/program.ts'
import { newBucketUrl } from '../support/s3-server.ts'
import { until, untilEqual } from '../support/until.ts'

await needs('PostgreSQL', 'the S3 server of the tests')

/*
 * Servers in processes of their own over one database and one OpenSearch, in front of which calls can be refused: a real one where it is there.
 */

const scripted = await startScriptedEngine(searchProtocol('opensearch'))
after(() => scripted.close())
const real = await realEngineAddress('opensearch', process.env.OPENSEARCH_URL)
/** Refuses writes with 429 after so many of them. */
let writesLeft = Number.POSITIVE_INFINITY
/** Whether all calls end with a cut connection. */
let isAway = false
let cutCalls = 0
const front = await startFront(typeof real === 'string' ? scripted.url : real.url, {
  answer(request, response) {
    if (isAway) {
      cutCalls++
      request.socket.destroy()
      return true
    }
    if (!request.url!.includes('_bulk') || writesLeft-- > 0) return false
    replies(response, 429, { error: { type: 'rejected_execution_exception', reason: 'too many writes' } })
    return true
  },
})
after(() => front.close())

/** Starts servers of a new database with a flow over the engine. */
async function cluster(t: TestContext, indexName: string) {
  const { address, drop } = await newPostgres()
  t.after(drop)
  const directory = room(t)
  const environment = {
    ...{ DATABASE_URL: address, BLOB_URL: await newBucketUrl(), ADMIN_KEY },
    ...{ SECRET_KEY: 'the-secret-of-the-test-nodes', EGRESS_ALLOW: '127.0.0.1' },
  }
  let started = 0
  async function startMember() {
    const argv = ['start', '--data-dir', `${directory}/${started++}`]
    const server = await start(t, argv, { directory, environment })
    const url = server.url.replace('0.0.0.0', '127.0.0.1')
    async function call<Body>(method: string, path: string, body?: object) {
      const isForm = body instanceof FormData
      const response = await fetch(`${url}/api/v1/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_KEY}`,
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: (await response.json()) as Body }
    }
    const upsert = (files: Record<string, string>, query = '') =>
      call<{ jobId: string; message?: string }>('POST', `vector/upsert/herons${query}`, form(files))
    return {
      ...{ call, upsert, ended: server.ended, kill: server.kill },
      job: async (id: string) => (await call<JobAnswer>('GET', `jobs/${id}`)).body,
      async hits(query: string) {
        const asked = { query, topK: 50 }
        const { status, body } = await call<{ docs: Retrieved[] }>('POST', 'vector/query/herons', asked)
        assert.equal(status, 200, JSON.stringify(body))
        return body.docs.map(({ pageContent, score }) => ({ pageContent, score }))
      },
    }
  }
  const first = await startMember()
  const plainDataObj = { openSearchUrl: front.url, user: 'admin', password: 'a-password' }
  const credential = { name: 'the engine', credentialName: 'openSearchUrl', plainDataObj }
  const { body } = await first.call<{ id: string }>('POST', 'credentials', credential)
  const store = { indexName, credential: body.id }
  const recordManager = { cleanup: 'incremental' }
  const drawing = drawFlow({ name: 'Herons', storeNode: 'openSearch', store, recordManager })
  assert.equal((await first.call('POST', 'chatflows', drawing)).status, 200)
  return {
    first,
    startMember,
    /** Whether the engine has just the points of the ledger. */
    isSame: async () => (await run(['verify', 'herons'], { directory, environment })).code === 0,
  }
}

const CUT = 'the connection was cut'

/** A wrong address is not called more often. */
const ATTEMPTS = 5

/** A text of many chunks: more than one write brings. */
const longText = (about: string, paragraphs = 300) =>
  Array.from({ length: paragraphs }, (_, at) => `${about} number ${at}. `.repeat(40)).join('\n\n')

test('an upsert that waits for the engine is taken over from a member that is killed, waits there too, and loses and doubles nothing [engines:waits]', async (t) => {
  const { first, startMember, isSame } = await cluster(t, `taken-${process.pid}`)
  assert.equal((await first.upsert({ 'heron.txt': 'The heron stands.' })).status, 200)
  writesLeft = 1
  t.after(() => {
    writesLeft = Number.POSITIVE_INFINITY
    isAway = false
  })
  const { body } = await first.upsert(
    { 'otters.txt': longText('Otter'), 'gull.txt': 'The gull flies.' },
    '?async=true',
  )
  const { jobId } = body
  await until(
    async () => (await first.job(jobId)).waiting?.reason === '429',
    'the job waits on the first member',
  )
  assert.equal((await first.job(jobId)).attempt, 1)

  // The second member has never had an answer of the engine.
  isAway = true
  const second = await startMember()
  first.kill('SIGKILL')
  await first.ended
  const before = cutCalls
  await until(async () => {
    const { attempt, waiting, state } = await second.job(jobId)
    assert.equal(state === 'failed', false, 'the job has failed')
    return (
      attempt === 2 &&
      waiting?.server === 'OpenSearch' &&
      waiting.reason === CUT &&
      cutCalls > before + ATTEMPTS
    )
  }, 'the job waits on the second member')

  // The writes of the first one that were taken are found by nobody.
  isAway = false
  await until(async () => (await second.job(jobId)).waiting?.reason === '429', 'it is refused there too')
  assert.deepEqual(
    (await second.hits('heron')).map(({ pageContent }) => pageContent),
    ['The heron stands.'],
  )
  writesLeft = Number.POSITIVE_INFINITY
  await untilEqual(async () => (await second.job(jobId)).state, 'done')
  assert.deepEqual(
    (await second.hits('gull')).filter(({ pageContent }) => pageContent === 'The gull flies.').length,
    1,
  )
  type Sources = { data: { source: string; chunks: number }[] }
  const { data } = (await second.call<Sources>('GET', 'vector/sources/herons')).body
  assert.deepEqual(data.map(({ source }) => source).sort(), ['gull.txt', 'heron.txt', 'otters.txt'])
  await until(isSame, 'the engine has the points of the ledger and no others')
})

test('three members have the same hits of one engine after what each of them adds, replaces and removes, also at once [cluster:engine]', async (t) => {
  const { first, startMember, isSame } = await cluster(t, `three-${process.pid}`)
  const [second, third] = await Promise.all([startMember(), startMember()])
  const members = [first, second!, third!]

  async function sameHits(query: string): Promise<string[]> {
    let one: { pageContent: string; score: number }[] = []
    await until(async () => {
      const answers = await Promise.all(members.map((member) => member.hits(query)))
      one = answers[0]!
      for (const hits of answers) assert.deepEqual(textsOf(hits), textsOf(one))
      // How rare a word is in the engine changes for a moment: it deletes replaced points, and merges, behind the answer to a write.
      return answers.every((hits) => isDeepStrictEqual(hits, one))
    }, 'the same scores at all members')
    return one.map(({ pageContent }) => pageContent)
  }
  const textsOf = (hits: readonly { pageContent: string }[]) =>
    hits.map(({ pageContent }) => pageContent).toSorted()
  const texts = async () => (await sameHits('an animal by the water')).toSorted()

  const added = members.map((member, at) =>
    member.upsert({
      [`bird-${at}.txt`]: `Bird ${at} stands by the water.`,
      [`rent-${at}.txt`]: `Rent ${at} is paid.`,
    }),
  )
  for (const { status, body } of await Promise.all(added)) assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await texts()).length, 6)
  await sameHits('bird 1')

  assert.equal((await second!.upsert({ 'bird-0.txt': 'The otter swims.' })).status, 200)
  assert.equal((await third!.call('DELETE', 'vector/upsert/herons?source=rent-1.txt')).status, 200)
  const left = [
    'Bird 1 stands by the water.',
    'Bird 2 stands by the water.',
    'Rent 0 is paid.',
    'Rent 2 is paid.',
  ]
  assert.deepEqual(await texts(), [...left, 'The otter swims.'])

  for (let round = 0; round < 5; round++) {
    const versions = [0, 1].map((at) => `The crab of member ${at} walks in round ${round}.`)
    const both = await Promise.all(versions.map((text, at) => members[at]!.upsert({ 'crab.txt': text })))
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    const crabs = (await texts()).filter((text) => text.startsWith('The crab'))
    assert.equal(crabs.length, 1)
    assert.ok(versions.includes(crabs[0]!), crabs[0])
    await sameHits(`the crab of round ${round}`)
  }
  await until(isSame, 'the engine has the points of the ledger and no others')
})
