import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadBuiltInModel } from '../src/embed/builtin.ts'

/*
 * How fast is the built-in embedder, compared with plain loops for the arithmetic that models/ documents?
 * Chunks of 1,000 characters, one thread. With SLUICE_CORPUS set and the model's reference implementation beside that
 * folder, the reference runs too.
 */

type Peer = { name: string; embed(text: string): Float32Array }

const MODEL = new URL('../models/sluice-static-256-v1.bin', import.meta.url)
const VECTORS = new URL('../test/fixtures/model-vectors.json', import.meta.url)
const ROUNDS = 5

export async function run(): Promise<void> {
  const memoryBefore = process.memoryUsage().rss
  const start = performance.now()
  const model = await loadBuiltInModel()
  console.log(`load ${(performance.now() - start).toFixed(0)} ms`)
  console.log(`memory ${((process.memoryUsage().rss - memoryBefore) / 2 ** 20).toFixed(0)} MB`)

  const chunks = makeChunks(2000)
  const peers: Peer[] = [
    { name: 'sluice', embed: (text) => model.embed(text) },
    plainArithmetic((text) => model.tokens(text)),
    ...(await reference()),
  ]
  // The best of several rounds taken in turn: other work on the machine affects all peers equally.
  const best = new Map<Peer, number>()
  for (let round = 0; round < ROUNDS; round++)
    for (const peer of peers) best.set(peer, Math.max(best.get(peer) ?? 0, chunksPerSecond(peer, chunks)))
  const ours = best.get(peers[0]!)!
  for (const [{ name }, rate] of best)
    console.log(
      `${name}: ${rate.toFixed(0)} chunks/s${rate === ours ? '' : `; sluice is ${(ours / rate).toFixed(2)} ×`}`,
    )
  for (const peer of peers.slice(1))
    console.log(`largest difference to ${peer.name}: ${largestDifference(model, peer, chunks)}`)
}

function chunksPerSecond(peer: Peer, chunks: string[]): number {
  const start = performance.now()
  for (const chunk of chunks) peer.embed(chunk)
  return (chunks.length * 1000) / (performance.now() - start)
}

function largestDifference(
  ours: { embed(text: string): Float32Array },
  peer: Peer,
  chunks: string[],
): number {
  let largest = 0
  for (const chunk of chunks.slice(0, 200)) {
    const theirs = peer.embed(chunk)
    for (const [place, number] of ours.embed(chunk).entries())
      largest = Math.max(largest, Math.abs(number - theirs[place]!))
  }
  return largest
}

/** Different chunks of 1,000 characters: the words of some prose in a pseudo-random order. */
function makeChunks(count: number): string[] {
  const { cases } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: { text: string; bench?: true }[] }
  const words = cases.filter(({ bench }) => bench).flatMap(({ text }) => text.split(' '))
  let state = 1
  return Array.from({ length: count }, () => {
    let chunk = ''
    while (chunk.length < 1000) {
      state = (state * 48_271) % 2_147_483_647
      chunk += `${words[state % words.length]} `
    }
    return chunk.slice(0, 1000)
  })
}

/** The documented sum in plain loops; the tokens come from us, so that only the arithmetic is compared. */
function plainArithmetic(tokens: (text: string) => number[]): Peer {
  const bytes = new Uint8Array(readFileSync(MODEL))
  const [dimensions, size, scalesAt, rowsAt] = new Uint32Array(bytes.buffer, 12, 4) as unknown as number[]
  const scales = new Float32Array(bytes.buffer, scalesAt, size)
  const rows = new Int8Array(bytes.buffer, rowsAt, size! * dimensions!)
  return {
    name: 'plain reference arithmetic',
    embed(text) {
      const sums = new Float64Array(dimensions!)
      for (const id of tokens(text)) {
        const scale = scales[id]!
        const row = id * dimensions!
        for (let column = 0; column < dimensions!; column++) sums[column]! += scale * rows[row + column]!
      }
      let squares = 0
      for (let column = 0; column < dimensions!; column++) squares += sums[column]! ** 2
      const length = Math.sqrt(squares) || 1
      const vector = new Float32Array(dimensions!)
      for (let column = 0; column < dimensions!; column++) vector[column] = sums[column]! / length
      return vector
    },
  }
}

async function reference(): Promise<Peer[]> {
  const corpus = process.env.SLUICE_CORPUS
  const file = corpus === undefined ? undefined : path.resolve(corpus, '..', 'model', 'reference.mjs')
  if (file === undefined || !existsSync(file)) return []
  const { Model } = (await import(pathToFileURL(file).href)) as {
    Model: { load(bytes: Uint8Array): { embed(text: string): Float32Array } }
  }
  const model = Model.load(readFileSync(MODEL))
  return [{ name: 'reference implementation', embed: (text) => model.embed(text) }]
}

if (import.meta.main) await run()
