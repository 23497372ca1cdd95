import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Value = { stringValue?: string; intValue?: string; doubleValue?: number; boolValue?: boolean }
type Attribute = { key: string; value: Value }
type Request = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { scope: { name: string; version: string }; spans: OtlpSpan[] }[]
  }[]
}
export type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number; message?: string }
}

export type Collector = {
  url: string
  requests: { path: string; headers: IncomingHttpHeaders; body: Request }[]
  spans(): OtlpSpan[]
  /** The next requests are answered with these statuses. */
  script(...statuses: number[]): void
  close(): void
}

/** A collector of OpenTelemetry on loopback, which keeps what it gets. */
export async function startCollector(): Promise<Collector> {
  const statuses: number[] = []
  const requests: Collector['requests'] = []
  let taken: OtlpSpan[] = []
  const http = createServer(async (request, response) => {
    const body = (await json(request)) as Request
    requests.push({ path: request.url!, headers: request.headers, body })
    const status = statuses.shift() ?? 200
    if (status === 200)
      taken = [
        ...taken,
        ...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ]
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    spans: () => taken,
    script: (...more) => void statuses.push(...more),
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}

/** The attributes of a span by name. */
export const attributesOf = ({ attributes }: Pick<OtlpSpan, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue),
    ]),
  )
