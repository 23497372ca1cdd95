import type { ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { type AskOcr, type OcrAnswer, type OcrOffer, STRIP_BYTES } from './ocr.ts'
import {
  BATCH_CHARACTERS,
  BATCH_PARTS,
  BATCHES_AHEAD,
  type FromChild,
  type ToChild,
  type ResourceUsage,
} from './protocol.ts'
import type { ReaderHelp, ReaderItem } from './reader.ts'
import { metadataLength } from './small-parts.ts'

/**
 * Runs in a child process: reads the files that the pool sends, one after another, and sends the results in batches;
 * waits while the pool is behind. The process exits with its parent.
 */
export function serveParser(
  read: (request: ParseRequest, help: ReaderHelp) => AsyncIterable<ReaderItem>,
): void {
  let unconsumed = 0
  let resume: (() => void) | undefined
  /** Takes the next message about the page that was asked for. */
  let onPage: ((message: 'strip' | { answer: OcrAnswer }) => void) | undefined

  /** Has a page read. The pool asks for one strip of its pixels after another, or answers early. */
  const ask: AskOcr = async ({ pixels, ...head }) => {
    send({ raster: head })
    for (let at = 0; ; at += STRIP_BYTES) {
      const message = await new Promise<'strip' | { answer: OcrAnswer }>((resolve) => (onPage = resolve))
      if (message !== 'strip') return message.answer
      send({ strip: pixels.subarray(at, at + STRIP_BYTES) })
    }
  }

  process.on('message', (message: ToChild) => {
    if (message === 'consumed') {
      unconsumed--
      resume?.()
    } else if (message === 'strip' || 'answer' in message) onPage?.(message)
    else {
      unconsumed = 0
      void readAndSend(message.read, message.ocr)
    }
  })
  process.on('disconnect', () => process.exit(0))
  // pdf.js leaves unhandled rejections on damaged files; without a listener they would end the process
  process.on('unhandledRejection', () => {})

  async function readAndSend(request: ParseRequest, offer: OcrOffer | undefined): Promise<void> {
    send('begun')
    try {
      for await (const batch of batches(read(request, offer ? { ocr: { offer, ask } } : {}))) {
        send({ batch })
        unconsumed++
        while (unconsumed >= BATCHES_AHEAD) await new Promise<void>((resolve) => (resume = resolve))
      }
      send({ done: true, usage: resourceUsage() })
    } catch (error) {
      const { code, facts } = failure(error, request.name)
      send({ failed: { code, facts }, usage: resourceUsage() })
    }
  }
}

const send = (message: FromChild): void => void process.send!(message)

const emptyBatch = (): Required<ParsedBatch> => ({ parts: [], notes: [], dropped: [] })

async function* batches(items: AsyncIterable<ReaderItem>): AsyncGenerator<ParsedBatch> {
  let batch = emptyBatch()
  let length = 0
  for await (const item of items) {
    if ('note' in item) batch.notes.push(item.note)
    else if ('dropped' in item) batch.dropped.push(item.dropped)
    else {
      batch.parts.push(item)
      length += item.pageContent.length + metadataLength(item.metadata)
    }
    if (length >= BATCH_CHARACTERS || batch.parts.length >= BATCH_PARTS) {
      yield batch
      batch = emptyBatch()
      length = 0
    }
  }
  if (batch.parts.length > 0 || batch.notes.length > 0 || batch.dropped.length > 0) yield batch
}

/**
 * Any thrown value as a failure of this file. The message of a library error may quote the document, so only the
 * error's name is kept.
 */
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
