import type { DocumentPart } from '../contract/document.ts'
import type { ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import {
  BATCH_CHARACTERS,
  BATCH_PARTS,
  BATCHES_AHEAD,
  type FromChild,
  type ToChild,
  type ResourceUsage,
} from './protocol.ts'
import type { Note } from './reader.ts'
import { metadataLength } from './small-parts.ts'

/**
 * The life of a child: read the file it is told to, send what comes out in batches, wait where the pool is
 * behind, and then for the next file. Ends with its parent.
 */
export function serveParser(read: (request: ParseRequest) => AsyncIterable<DocumentPart | Note>): void {
  let ahead = 0
  let resume: (() => void) | undefined

  process.on('message', (message: ToChild) => {
    if (message === 'taken') {
      ahead--
      resume?.()
    } else {
      ahead = 0
      void answer(message.read)
    }
  })
  process.on('disconnect', () => process.exit(0))
  // pdf.js leaves rejections behind on damaged files; without a listener they would end the process
  process.on('unhandledRejection', () => {})

  async function answer(request: ParseRequest): Promise<void> {
    tell('begun')
    try {
      for await (const batch of batches(read(request))) {
        tell({ batch })
        ahead++
        while (ahead >= BATCHES_AHEAD) await new Promise<void>((taken) => (resume = taken))
      }
      tell({ done: true, usage: resourceUsage() })
    } catch (error) {
      const { code, facts } = failure(error, request.name)
      tell({ failed: { code, facts }, usage: resourceUsage() })
    }
  }
}

const tell = (message: FromChild): void => void process.send!(message)

async function* batches(items: AsyncIterable<DocumentPart | Note>): AsyncGenerator<ParsedBatch> {
  let batch: ParsedBatch = { parts: [], notes: [] }
  let length = 0
  for await (const item of items) {
    if ('note' in item) batch.notes.push(item.note)
    else {
      batch.parts.push(item)
      length += item.pageContent.length + metadataLength(item.metadata)
    }
    if (length >= BATCH_CHARACTERS || batch.parts.length >= BATCH_PARTS) {
      yield batch
      batch = { parts: [], notes: [] }
      length = 0
    }
  }
  if (batch.parts.length > 0 || batch.notes.length > 0) yield batch
}

/** Any thrown value as a failure of this file. A foreign message may quote the document, so only its name goes on. */
function failure(error: unknown, file: string): SluiceError {
  if (error instanceof SluiceError) return error
  if (isOutOfMemory(error)) {
    return new SluiceError('file_over_limit', { file, reason: 'it needs more memory than a file may take' })
  }
  if (error instanceof Error && ('syscall' in error || 'permission' in error)) {
    const code = 'code' in error ? String(error.code) : error.name
    return new SluiceError('file_unreadable', { file, reason: `the server cannot open it (${code})` })
  }
  const kind = error instanceof Error ? error.name : typeof error
  return new SluiceError('file_unreadable', { file, reason: `its content is damaged (${kind})` })
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ERR_MEMORY_ALLOCATION_FAILED') ||
    /allocation failed/i.test(error.message))

function resourceUsage(): ResourceUsage {
  const { user, system } = process.cpuUsage()
  return { memory: process.memoryUsage.rss(), seconds: (user + system) / 1e6 }
}
