import { type FileHandle, open } from 'node:fs/promises'
import { SluiceError, reasonOf } from '../kit/errors.ts'
import { wasmMemory } from '../kit/wasm/module.ts'

/**
 * A model file of version 1, loaded byte for byte into a WebAssembly memory at address 0.
 *
 * The file, little-endian: 64 bytes of header (`SLUICEEM`; seven uint32: version, dimensions, vocabulary size,
 * offsets of scales, rows and vocabulary, bytes of the vocabulary; 28 bytes of id, zero padded), a float32 scale per
 * token, an int8 row per token, the tokens in UTF-8 joined by line breaks.
 */
export type ModelFile = {
  id: string
  dimensions: number
  /** Token texts in the order of their ids; one that continues a word begins with `##`. */
  vocabulary: string[]
  memory: WebAssembly.Memory
  /** Addresses in the memory; it is unused from `free` on. */
  scales: number
  rows: number
  free: number
}

const HEADER_BYTES = 64
const MAGIC = 'SLUICEEM'
const VERSION = 1

/**
 * Reads a model file into a WebAssembly memory.
 *
 * @param workBytes how many additional bytes the memory needs, by the dimensions of the model
 * @throws SluiceError `model_unusable`
 */
export async function readModelFile(
  path: string,
  workBytes: (dimensions: number) => number,
): Promise<ModelFile> {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const { tokens, words, ...header } = readHeader(await fill(file, new Uint8Array(HEADER_BYTES)), size)
    const free = Math.ceil(size / 16) * 16
    const memory = wasmMemory(free + workBytes(header.dimensions))
    const bytes = await fill(file, new Uint8Array(memory.buffer as ArrayBuffer, 0, size))
    const vocabulary = utf8(bytes, words.from, words.to).split('\n')
    if (vocabulary.length !== tokens) throw new Error(`it has ${vocabulary.length} tokens and ${tokens} rows`)
    return { ...header, vocabulary, memory, free }
  } catch (cause) {
    throw new SluiceError('model_unusable', { path, reason: reasonOf(cause) }, { cause })
  }
}

/** Reads from the beginning of the file until the bytes are full. */
async function fill<Bytes extends Uint8Array>(file: FileHandle, bytes: Bytes): Promise<Bytes> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, at)
    if (bytesRead === 0) throw new Error('it ends too early')
    at += bytesRead
  }
  return bytes
}

function readHeader(bytes: Uint8Array<ArrayBuffer>, size: number) {
  if (utf8(bytes, 0, MAGIC.length) !== MAGIC) throw new Error('it is not a model file')
  const [version, dimensions, tokens, scales, rows, from, length] = new Uint32Array(bytes.buffer, 8, 7)
  if (version !== VERSION)
    throw new Error(`it is of version ${version}; this program reads version ${VERSION}`)
  const inOrder = scales! + tokens! * 4 <= rows! && rows! + tokens! * dimensions! <= from!
  const aligned = scales! % 4 === 0 && dimensions! % 16 === 0
  const to = from! + length!
  if (!inOrder || !aligned || to > size) throw new Error('its header does not fit its content')
  return {
    id: utf8(bytes, 36, HEADER_BYTES).replace(/\0+$/, ''),
    dimensions: dimensions!,
    tokens: tokens!,
    scales: scales!,
    rows: rows!,
    words: { from: from!, to },
  }
}

function utf8(bytes: Uint8Array, from: number, to: number): string {
  return new TextDecoder().decode(bytes.subarray(from, to))
}
