import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import type { EngineAccess } from '../../src/stores/remote/engine-server.ts'
import { searchServerEngine } from '../../src/stores/remote/search-server.ts'
import { signatureFor } from '../support/aws-signature.ts'
import { newAuthority } from '../support/certificates.ts'
import { clientBy, WAITS } from '../support/engines/client-of.ts'
import { replies, startFront } from '../support/engines/front.ts'
import { freePort } from '../support/free-port.ts'

const POINTS = Array.from({ length: 4 }, (_, at) => ({
  ...{ id: `p${at}`, text: `text ${at}`, metadata: {}, vector: Float32Array.of(1, at / 10) },
}))
const NEAR = { vector: Float32Array.of(1, 0), metric: 'cosine', limit: 10 } as const
const IDS = ['p0', 'p1', 'p2', 'p3']

const engineBy = (access: EngineAccess, prefix = `test-${randomUUID().slice(0, 8)}`, timeoutMs?: number) =>
  searchServerEngine({
    ...{
      server: clientBy(access, timeoutMs),
      name: 'engine',
      indexPrefix: prefix,
      metric: 'cosine' as const,
    },
  })

type Engine = ReturnType<typeof engineBy>
const found = async (engine: Engine) => (await engine.search('c', NEAR)).map(({ id }) => id).sort()

/** A member of a cluster that takes connections and never answers. */
async function startFrozen() {
  let connections = 0
  const server = createServer(() => void connections++).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    connections: () => connections,
  }
}

/** How OpenSearch or Elasticsearch is reached: addresses, certificates. @param url of a server without a password */
export function engineConnectionSuite(name: string, url: string): void {
  const headers = {}

  test(`${name} is reached by the address that answers, beside one where nothing listens [engines:addresses]`, async () => {
    const dead = `http://127.0.0.1:${await freePort()}`
    WAITS.length = 0
    const engine = engineBy({ baseURL: `${dead}, ${url}`, headers })
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    await engine.delete('c', ['p0'])
    assert.deepEqual(await found(engine), ['p1', 'p2', 'p3'])
    await engine.drop('c')
    // Another address needs no wait.
    assert.deepEqual(WAITS, [])
  })

  test(`${name} gets the calls of an address that dies, and loses none of its points [engines:addresses]`, async () => {
    const [one, other] = [await startFront(url), await startFront(url)]
    const engine = engineBy({ baseURL: `${one.url} ${other.url}`, headers })
    await engine.upsert('c', POINTS.slice(0, 2))
    assert.ok(one.calls() > 0 && other.calls() > 0, `${one.calls()} and ${other.calls()} calls`)
    one.close()
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    other.close()
    await assert.rejects(engine.upsert('c', POINTS), {
      code: 'provider_failed',
      message: /none of its 2 addresses answers: the connection was refused/,
    })
    await engineBy({ baseURL: url, headers }, 'unused').drop('c')
  })

  test(`${name} leaves out an address whose proxy has no server behind it [engines:addresses]`, async () => {
    const broken = await startFront(url, {
      answer(_from, to) {
        to.writeHead(502, { 'content-type': 'text/html' })
        to.end('<html><body>Bad Gateway</body></html>')
        return true
      },
    })
    const engine = engineBy({ baseURL: `${broken.url},${url}`, headers })
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    await engine.drop('c')
    assert.equal(broken.calls(), 1)
    broken.close()
  })

  test(`${name} does not repeat at another address what was not answered in time, and leaves that address out [engines:addresses]`, async () => {
    const frozen = await startFrozen()
    const prefix = `test-${randomUUID().slice(0, 8)}`
    // Making an index may take a busy machine longer than the calls below may.
    await engineBy({ baseURL: url, headers }, prefix).upsert('c', POINTS.slice(0, 1))
    const engine = engineBy({ baseURL: `${frozen.url},${url}`, headers }, prefix, 5000)
    await assert.rejects(engine.upsert('c', POINTS), { code: 'provider_timeout' })
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    await engine.drop('c')
    assert.equal(frozen.connections(), 1)
  })

  test(`${name} gets calls with a signature of AWS over all that they say, and the secret is not told [engines:aws]`, async () => {
    const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
    const keys = {
      accessKeyId: 'AKIDEXAMPLE',
      region: 'eu-west-1',
      service: 'es',
      sessionToken: 'a session',
    } as const
    const wrong: string[] = []
    const front = await startFront(url, {
      answer({ method, url: target, headers }, to, body) {
        const call = { method: method!, target: target!, headers, body }
        const { expected, signature, scope } = signatureFor(call, secretAccessKey)
        const isRight = signature === expected && scope.endsWith('/eu-west-1/es/aws4_request')
        if (isRight) return false
        wrong.push(`${method} ${target}`)
        return replies(to, 403, { message: `The request signature does not match ${headers.authorization}` })
      },
    })
    const by = (secret: string) =>
      engineBy({ baseURL: front.url, headers: {}, aws: { ...keys, secretAccessKey: secret } })
    const engine = by(secretAccessKey)
    await engine.upsert('c', POINTS)
    assert.deepEqual(await found(engine), IDS)
    assert.equal((await engine.vectors('c', IDS)).size, 4)
    assert.equal(await engine.fault('c', { dimensions: 2, writes: true }), undefined)
    await engine.drop('c')
    assert.deepEqual(wrong, [])
    await assert.rejects(by('another secret').upsert('c', POINTS), {
      code: 'provider_failed',
      message: /answered 403: The request signature does not match/,
    })
    front.close()
  })

  test(`${name} is reached by TLS with the authority of the credential alone, and a wrong one is named [engines:authority]`, async () => {
    const authority = newAuthority()
    const front = await startFront(url, { certified: authority.forLoopback() })
    const old = { from: new Date(Date.now() - 9e9), until: new Date(Date.now() - 1e9) }
    const expired = await startFront(url, { certified: authority.forLoopback(old) })
    const by = (baseURL: string, ca?: string) => engineBy({ baseURL, headers, ...(ca ? { ca } : {}) })
    const ca = authority.certificate
    for (const text of [ca, ca.replaceAll('\n', ' '), `${newAuthority('Another').certificate}${ca}`]) {
      const engine = by(front.url, text)
      await engine.upsert('c', POINTS)
      assert.deepEqual(await found(engine), IDS)
      await engine.drop('c')
    }
    const refuses = async (engine: Engine, message: RegExp) => {
      const error = await engine.upsert('c', POINTS).then(
        () => undefined,
        (failure) => failure,
      )
      assert.equal(error?.code, 'provider_failed')
      assert.match(error.message, message)
      return error
    }
    for (const wrong of [undefined, newAuthority().certificate, newAuthority('Another').certificate]) {
      const error = await refuses(by(front.url, wrong), /authority that is not trusted/)
      assert.match(error.facts.hint, /NODE_EXTRA_CA_CERTS/)
    }
    await refuses(by(expired.url, ca), /has expired/)
    await refuses(by(front.url.replace('https', 'http'), ca), /the connection was cut/)
    await refuses(by(url.replace('http', 'https'), ca), /does not speak TLS/)
    await refuses(by(front.url, 'no certificate'), /is no certificate in PEM/)
    await refuses(by(front.url, ca.replace(/\n.{20}/, '\n')), /damaged certificate/)
    front.close()
    expired.close()
  })
}
