import { Parser } from 'htmlparser2'
import { SluiceError } from '../kit/errors.ts'
import { decodeText } from './decode.ts'
import { HtmlText } from './html-text.ts'
import type { FormatReader } from './reader.ts'

/** A page of HTML as text in the manner of markdown (see html-text.ts); its title is metadata. */
export const readHtml: FormatReader = async function* (file, _options, limits) {
  const page = new HtmlText()
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > limits.htmlDepth) {
        const reason = `it is nested more than ${limits.htmlDepth} deep`
        throw new SluiceError('file_over_limit', { file: file.name, reason })
      }
      page.open(name, attributes)
    },
    ontext: (text) => page.text(text),
    onclosetag(name) {
      depth--
      page.close(name)
    },
  })
  parser.end(await decodeText(file.bytes, declaredEncoding(file.bytes)))
  const { text, title } = page.result()
  if (text !== '') yield { pageContent: text, metadata: title === '' ? {} : { title }, last: true }
}

/** HTML: "the element containing the character encoding declaration must be within the first 1024 bytes". */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  return /<meta[^>]+charset\s*=\s*["']?([\w:-]+)/i.exec(head)?.[1]?.toLowerCase()
}
