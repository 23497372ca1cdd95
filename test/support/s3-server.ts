import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Access } from './ceph.ts'

const PROVIDE = fileURLToPath(new URL('../../tools/provide-s3.sh', import.meta.url))
const KEEPER = fileURLToPath(new URL('s3-keeper.ts', import.meta.url))

/** How often a keeper is looked for, twenty times a second: on a busy machine its start takes several seconds. */
const ATTEMPTS = 2000

/** How many keepers may end before they say anything. */
const KEEPERS = 3

/** The folder of the programs of the S3 server, where `tools/provide-s3.sh` has unpacked them. */
export function s3Folder(): string | undefined {
  const where = spawnSync(PROVIDE, ['--where'], { encoding: 'utf8' })
  const folder = where.status === 0 ? where.stdout.trim() : ''
  return existsSync(path.join(folder, 'complete')) ? folder : undefined
}

let opened: Promise<S3Access> | undefined

/**
 * The S3 server of this test run: Ceph RGW, or the server in SLUICE_TEST_S3. The first test file starts it, all others use it, and
 * it ends some seconds after the last one, however that ends.
 *
 * @throws Error that says what is missing and how to get it
 */
export function s3Server(): Promise<S3Access> {
  opened ??= given(process.env.SLUICE_TEST_S3) ?? startShared()
  return opened
}

/** Makes a bucket for one test file, or one test. @returns its name */
export async function newBucket(): Promise<string> {
  const name = `sluice-${randomUUID()}`
  const made = await s3Call('PUT', `/${name}`)
  if (!made.ok) throw new Error(`the bucket was not made: ${made.status} ${await made.text()}`)
  return name
}

/** A BLOB_URL with a new bucket of the server. */
export async function newBucketUrl(): Promise<string> {
  const { endpoint, accessKeyId, secretAccessKey } = await s3Server()
  const { host, protocol } = new URL(endpoint)
  const keys = `${encodeURIComponent(accessKeyId)}:${encodeURIComponent(secretAccessKey)}`
  return `s3://${keys}@${host}/${await newBucket()}${protocol === 'http:' ? '?tls=false' : ''}`
}

/** A signed call of the server that is not made through the product. */
export async function s3Call(method: string, route: string, body?: string): Promise<Response> {
  const { endpoint, ...keys } = await s3Server()
  const url = new URL(route, endpoint)
  const signer = new AwsV4Signer({ method, url: url.href, ...keys, service: 's3', region: 'us-east-1' })
  const { headers } = await signer.sign()
  return fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
}

/** The names of the objects of a bucket, at most 1,000. */
export async function objectsOf(bucket: string, prefix = ''): Promise<string[]> {
  const text = await (
    await s3Call('GET', `/${bucket}?list-type=2&prefix=${encodeURIComponent(prefix)}`)
  ).text()
  return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map((match) => match[1]!)
}

function given(text: string | undefined): Promise<S3Access> | undefined {
  if (!text) return undefined
  const url = new URL(text.replace(/^s3:/, 'https:'))
  const scheme = url.searchParams.get('tls') === 'false' ? 'http' : 'https'
  return Promise.resolve({
    endpoint: `${scheme}://${url.host}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  })
}

async function startShared(): Promise<S3Access> {
  if (process.platform !== 'linux')
    throw new Error(
      'the S3 server of the tests runs on Debian only: set SLUICE_TEST_S3, see tools/provide-s3.sh',
    )
  const provided = spawnSync(PROVIDE, { encoding: 'utf8' })
  if (provided.status !== 0) throw new Error(provided.error?.message ?? provided.stderr)
  const folder = provided.stdout.trim()
  const name = `sluice-test-s3-${process.getuid!()}`
  const { error, ...access } = JSON.parse(await told(name, folder)) as S3Access & { error?: string }
  if (error) throw new Error(`the S3 server of the tests did not start: ${error}`)
  return access
}

/** What the keeper says, on a connection that stays open. One that is reached while it ends says nothing: then another is started. */
async function told(name: string, folder: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const socket = await reach(name, folder)
    socket.on('error', () => {})
    // It ends with the process, not with the test that came first; a test file that has ended must not wait for it.
    socket.unref()
    const line = await firstLine(socket)
    if (line !== undefined) return line
    if (attempt === KEEPERS) throw new Error('the keeper of the S3 server ended')
  }
}

/** A connection to the keeper, which is started if there is none. */
async function reach(name: string, folder: string): Promise<Socket> {
  for (let attempt = 0; ; attempt++) {
    const socket = connect(`\0${name}`)
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      if (attempt === ATTEMPTS) throw new Error('the keeper of the S3 server did not start', { cause: error })
      if (attempt % 100 === 0)
        spawn(process.execPath, [KEEPER, name, folder], { detached: true, stdio: 'ignore' }).unref()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** The first line of the keeper; it comes when the server answers. Undefined where the keeper ends before. */
async function firstLine(socket: Socket): Promise<string | undefined> {
  socket.ref()
  try {
    for await (const line of createInterface({ input: socket })) return line
    return undefined
  } catch {
    return undefined
  } finally {
    socket.unref()
  }
}
