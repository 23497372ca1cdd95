import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { JobAnswer } from '../../src/api/job.ts'
import type { EvalRunHead } from '../../src/api/question.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { drawFlow } from '../support/flow-drawing.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { room, start } from '../support/program.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { until, untilEqual } from '../support/until.ts'

const ADMIN_KEY = 'the-admin-key-of-the-test'

test('a run of questions whose server is killed begins anew at the next start, and is kept once and whole', async (t) => {
  const provider = await startProviderServer()
  after(() => provider.close())
  const given = { directory: room(t), environment: { ADMIN_KEY, EGRESS_ALLOW: LOOPBACK.join(',') } }
  let server = await start(t, ['start'], given)
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const isForm = body instanceof FormData
    const headers = { authorization: `Bearer ${ADMIN_KEY}` }
    const answer = await fetch(`${server.url}/api/v1/${path}`, {
      method,
      headers: !body || isForm ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    assert.ok(answer.ok, text)
    return JSON.parse(text) as Body
  }
  const drawing = drawFlow({ name: 'Handbook' })
  const { nodes } = drawing.flowData as unknown as { nodes: { data: JsonObject }[] }
  Object.assign(nodes.find(({ data }) => data.name === 'builtInEmbeddings')!.data, {
    ...{ name: 'localAIEmbeddings', inputs: { modelName: 'mine', basePath: `${provider.url}/v1` } },
  })
  const { slug } = await call<{ slug: string }>('POST', 'chatflows', { ...drawing, slug: 'handbook' })
  assert.equal(slug, 'handbook')
  const form = new FormData()
  form.append('files', new File(['The heron waits for a fish.'], 'heron.txt'))
  await call('POST', 'vector/upsert/handbook', form)
  const questions = Array.from({ length: 6 }, (_, at) => ({
    ...{ text: `What does heron ${at} wait for?`, judgements: [{ source: 'heron.txt', grade: 1 }] },
  }))
  await call('POST', 'questions/handbook', { questions })

  provider.calls.length = 0
  // The third question of the run waits for its vector.
  provider.hold(2)
  const { jobId } = await call<{ jobId: string }>('POST', 'eval/handbook?async=true', {})
  await until(() => provider.calls.length === 3, 'the third question')
  server.kill('SIGKILL')
  await server.ended
  provider.release()

  server = await start(t, ['start'], given)
  const job = () => call<JobAnswer>('GET', `jobs/${jobId}`)
  await untilEqual(async () => (await job()).state, 'done')
  assert.partialDeepStrictEqual(await job(), {
    ...{ kind: 'eval', attempt: 2, questions: { total: 6, done: 6 } },
    result: { run: jobId, measures: { asked: 6, counted: 6, ndcg10: 1 } },
  })
  const { data } = await call<{ data: EvalRunHead[] }>('GET', 'eval/handbook/runs')
  assert.deepEqual(
    data.map(({ id, measures }) => [id, measures.asked]),
    [[jobId, 6]],
  )
})
