import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Egress } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Tracer } from '../kit/tracing.ts'
import { observedEgress } from './observed-egress.ts'
import { createPlatformMetrics } from './platform-metrics.ts'

/** Calls that are answered by `answer`; what was sent, counted and traced. */
function desk(answer: () => Promise<Response>, passTo: string[] = [], traceparent: string | null = 'tp') {
  const sent: (RequestInit | undefined)[] = []
  const spans: unknown[][] = []
  const metrics = createPlatformMetrics()
  const tracer: Tracer = {
    begin(name, options) {
      const span: unknown[] = [name, options]
      spans.push(span)
      return {
        traceparent: traceparent ?? undefined,
        set: (attributes) => void span.push(attributes),
        end: (failure) => void span.push(['end', failure]),
        within: (work) => work(),
      }
    },
    current: () => undefined,
    async close() {},
  }
  const fetch = (_: unknown, init?: RequestInit) => {
    sent.push(init)
    return answer()
  }
  const egress = {
    fetch,
    limited: () => fetch,
    forProvider: () => egress,
    forMcp: () => egress,
  } as unknown as Egress
  const outcomes = async () =>
    [
      ...(await metrics.text()).matchAll(/outgoing_request_duration_seconds_count\{outcome="(\w+)"\} (\d+)/g),
    ].map(([, outcome, count]) => `${outcome} ${count}`)
  return { sent, spans, outcomes, observed: observedEgress(egress, { metrics, tracer }, passTo) }
}

for (const [status, outcome, failure] of [
  [200, '2xx', undefined],
  [304, '3xx', undefined],
  [404, '4xx', '4xx'],
  [599, '5xx', '5xx'],
] as const)
  test(`a call that is answered with ${status} is counted as ${outcome}`, async () => {
    const { spans, outcomes, observed } = desk(async () => ({ status }) as Response)
    await observed.fetch('http://docs.example:8080/path?secret', { method: 'PUT' })
    assert.deepEqual(await outcomes(), [`${outcome} 1`])
    assert.deepEqual(spans, [
      [
        'call PUT',
        {
          kind: 'client',
          attributes: { 'http.request.method': 'PUT', 'server.address': 'docs.example' },
        },
        { 'http.response.status_code': status },
        ['end', failure],
      ],
    ])
  })

test('a call that fails is counted by its code, and one that its caller has ended as cancelled', async () => {
  const denied = desk(() => Promise.reject(new SluiceError('egress_denied')))
  await assert.rejects(denied.observed.fetch('http://a.example'), { code: 'egress_denied' })
  await assert.rejects(denied.observed.fetch('no address'), { code: 'egress_denied' })
  const strange = desk(() => Promise.reject(new TypeError('x')))
  await assert.rejects(strange.observed.fetch('http://a.example'))
  const { signal } = new AbortController()
  const cancelled = desk(() => Promise.reject(new Error('gone')))
  await assert.rejects(cancelled.observed.fetch('http://a.example', { signal: AbortSignal.abort() }))
  await assert.rejects(cancelled.observed.fetch('http://a.example', { signal }))
  assert.deepEqual(
    [await denied.outcomes(), await strange.outcomes(), await cancelled.outcomes()],
    [['egress_denied 2'], ['internal 1'], ['cancelled 1', 'internal 1']],
  )
})

test('only listed hosts get the header traceparent, beside the headers of the call', async () => {
  const ok = async () => ({ status: 200 }) as Response
  const headersOf = async (call: ReturnType<typeof desk>, url: string | Request) => {
    await call.observed.fetch(url, { headers: { accept: 'x' } })
    return Object.fromEntries(new Headers(call.sent.at(-1)?.headers))
  }
  const listed = desk(ok, ['a.example'])
  assert.deepEqual(await headersOf(listed, 'http://a.example/x'), { accept: 'x', traceparent: 'tp' })
  assert.deepEqual(await headersOf(listed, new Request('http://a.example/x')), {
    accept: 'x',
    traceparent: 'tp',
  })
  assert.deepEqual(await headersOf(listed, 'http://b.example/x'), { accept: 'x' })
  const untraced = desk(ok, ['a.example'], null)
  assert.deepEqual(await headersOf(untraced, 'http://a.example/x'), { accept: 'x' })
  await listed.observed.fetch(new Request('http://a.example', { headers: { accept: 'y' } }))
  assert.deepEqual(Object.fromEntries(new Headers(listed.sent.at(-1)?.headers)), {
    accept: 'y',
    traceparent: 'tp',
  })
  await listed.observed.fetch('http://a.example')
  assert.deepEqual(Object.fromEntries(new Headers(listed.sent.at(-1)?.headers)), { traceparent: 'tp' })
})

test('calls with other limits, of providers and of MCP servers are counted too', async () => {
  const { outcomes, observed } = desk(async () => ({ status: 200 }) as Response)
  await observed.limited({})('http://a.example')
  await observed.forProvider('http://a.example').fetch('http://a.example')
  await observed.forMcp().fetch('http://a.example')
  assert.deepEqual(await outcomes(), ['2xx 3'])
})

test('observedEgress() refuses a list of hosts that is not valid, at once', () => {
  assert.throws(() => desk(async () => new Response(), ['http://']), { code: 'config_invalid' })
})
