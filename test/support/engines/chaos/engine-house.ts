import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { JobAnswer } from '../../../../src/api/job.ts'
import type { EngineComparison, EngineVerification } from '../../../../src/contract/engine-comparison.ts'
import type { Json } from '../../../../src/kit/json.ts'
import { drawFlow } from '../../flow-drawing.ts'
import { answerOf } from '../../platform.ts'
import { room } from '../../program.ts'
import { runHere, startHere } from '../../program-here.ts'
import { until } from '../../until.ts'
import { CHUNK_SIZE } from './changing-sources.ts'

const ADMIN_KEY = 'the-admin-key-of-the-test'

/** How long requests wait for the engine, in seconds. */
const ENGINE_TIMEOUT = '5'

/** A call that has no answer after so long hangs, in milliseconds. It is far more than a slow machine needs. */
const HANGS_MS = 300_000

export type HouseAnswer = { status: number; text: string; body: Json }

export type EngineHouse = Awaited<ReturnType<typeof engineHouse>>

/** A server of Sluice in this process with flows over a cluster of OpenSearch. It can be stopped and started again. */
export async function engineHouse(t: TestContext, addresses: string) {
  const given = { directory: room(t), environment: { ADMIN_KEY, ENGINE_TIMEOUT } }
  let server = await startHere(t, ['start'], given)

  /** @throws Error where the server does not answer at all, or not as its description says */
  async function call(method: string, path: string, body?: object): Promise<HouseAnswer> {
    const isForm = body instanceof FormData
    const json = body && !isForm ? { 'content-type': 'application/json' } : {}
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, ...json },
      signal: AbortSignal.timeout(HANGS_MS),
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    const {
      status,
      text,
      body: read,
    } = answerOf<Json>(response.status, response.headers, await response.text())
    return { status, text, body: read }
  }

  /** What `sluice verify` says of the engine of a flow. */
  async function verify(flow: string, ...options: string[]): Promise<EngineVerification> {
    const { stdout, stderr } = await runHere(['verify', flow, '--json', ...options], given)
    const { engines } = JSON.parse(stdout || '{}') as { engines?: EngineVerification[] }
    assert.equal(engines?.length, 1, stdout + stderr)
    return engines![0]!
  }

  async function done(method: string, path: string, body: object): Promise<{ id: string }> {
    const answer = await call(method, path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body as { id: string }
  }

  const { id: credential } = await done('POST', '/api/v1/credentials', {
    ...{ name: 'the cluster', credentialName: 'openSearchUrl' },
    plainDataObj: { openSearchUrl: addresses, user: 'admin', password: 'a-password' },
  })

  return {
    call,
    log: () => server.log,

    /** Stores a flow whose index has its name. */
    flow: (name: string) =>
      done(
        'POST',
        '/api/v1/chatflows',
        drawFlow({
          ...{ name, slug: name, storeNode: 'openSearch' },
          store: { indexName: name, credential, shards: 2, copies: 1 },
          splitter: { chunkSize: CHUNK_SIZE, chunkOverlap: 0 },
          recordManager: { cleanup: 'incremental' },
        }),
      ),

    upload(flow: string, file: string, lines: readonly string[]): Promise<HouseAnswer> {
      const form = new FormData()
      form.append('files', new File([lines.join('\n')], file))
      return call('POST', `/api/v1/vector/upsert/${flow}`, form)
    },

    job: async (id: string) => (await call('GET', `/api/v1/jobs/${id}`)).body as JobAnswer,

    /** The texts of the whole index, by a search, sorted. */
    ask: (flow: string, mode: string) =>
      call('POST', `/api/v1/vector/query/${flow}`, {
        ...{ query: 'Source line version', mode, topK: 1000, nearDuplicates: false },
      }),

    verify,

    /** The comparison by `sluice verify`, as soon as the engine is not too busy for one. */
    async compared(flow: string, ...options: string[]): Promise<EngineComparison> {
      let last: EngineVerification | undefined
      const isCompared = async () => {
        last = await verify(flow, ...options)
        return 'comparison' in last
      }
      await until(isCompared, 'a comparison').catch((error: unknown) => {
        throw new Error(JSON.stringify(last), { cause: error })
      })
      assert.ok(last && 'comparison' in last)
      return last.comparison
    },

    /** Waits until `/readyz` says of the vector engines that they are away for this reason, and degraded; undefined: that they are there. */
    async untilReady(reason: RegExp | undefined): Promise<void> {
      type Ready = { degraded?: string[]; dependencies: { name: string; state: string; reason?: string }[] }
      const says = async () => {
        const { status, body } = await call('GET', '/readyz')
        const { degraded, dependencies } = body as unknown as Ready
        const engines = dependencies.find(({ name }) => name === 'vector engines')
        if (reason === undefined) return status === 200 && engines?.state === 'ok'
        return degraded?.includes('vector engines') === true && reason.test(engines?.reason ?? '')
      }
      await until(says, `/readyz names ${String(reason)}`)
    },

    async stop(): Promise<void> {
      server.kill('SIGTERM')
      assert.equal(await server.ended, 0, server.log.join('\n'))
    },

    async start(): Promise<void> {
      server = await startHere(t, ['start'], given)
    },
  }
}
