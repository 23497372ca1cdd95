import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../kit/errors.ts'
import type { ConversionResult } from './convert-html.ts'
import { convertHtml } from './html-to-markdown.ts'

/** The thread that converts texts, one after another, until it is ended. */

const post = (converted: ConversionResult): void => parentPort!.postMessage(converted)

parentPort!.on('message', (text: string) => {
  try {
    post({ markdown: convertHtml(text) })
  } catch (error) {
    post({ reason: reasonOf(error) })
  }
})
