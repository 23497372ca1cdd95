import type { Dropped, ParsedBatch, ParseRequest } from '../contract/file-parser.ts'
import { type AskOcr, type OcrAnswer, type OcrOffer, STRIP_BYTES } from './pdf/ocr.ts'
import {
  BATCH_CHARACTERS,
  BATCH_PARTS,
  BATCH_SECONDS,
  BATCHES_AHEAD,
  type FromChild,
  type ToChild,
  type ResourceUsage,
} from './protocol.ts'
import type { ReaderHelp, ReaderItem } from './reader.ts'
import { readerFailure } from './reader-failure.ts'
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
      const { code, facts } = readerFailure(error, request.name)
      send({ failed: { code, facts }, usage: resourceUsage() })
    }
  }
}

const send = (message: FromChild): void => void process.send!(message)

const emptyBatch = (): ParsedBatch & { dropped: Dropped[] } => ({ parts: [], notes: [], dropped: [] })

async function* batches(items: AsyncIterable<ReaderItem>): AsyncGenerator<ParsedBatch> {
  let batch = emptyBatch()
  let length = 0
  let began = performance.now()
  for await (const item of items) {
    if ('note' in item) {
      batch.notes.push(item.note)
      if (item.passing) batch.passing = true
    } else if ('dropped' in item) batch.dropped.push(item.dropped)
    else {
      batch.parts.push(item)
      length += item.pageContent.length + metadataLength(item.metadata)
    }
    const isOld = performance.now() - began > BATCH_SECONDS * 1000
    if (length >= BATCH_CHARACTERS || batch.parts.length >= BATCH_PARTS || isOld) {
      yield batch
      batch = emptyBatch()
      length = 0
      began = performance.now()
    }
  }
  if (batch.parts.length > 0 || batch.notes.length > 0 || batch.dropped.length > 0) yield batch
}

function resourceUsage(): ResourceUsage {
  const { user, system } = process.cpuUsage()
  return { memory: process.memoryUsage.rss(), seconds: (user + system) / 1e6 }
}
