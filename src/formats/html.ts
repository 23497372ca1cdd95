import { Parser } from 'htmlparser2'
import { SluiceError } from '../kit/errors.ts'
import { decodeText } from './decode.ts'
import { HtmlLinks } from './html-links.ts'
import { HtmlText } from './html-text.ts'
import { HtmlTree } from './html-tree.ts'
import type { FormatReader } from './reader.ts'

/** A page of HTML as text in the manner of markdown (see html-text.ts); its title is metadata. */
export const readHtml: FormatReader = async function* (file, { encoding, selector, linksFrom }, limits) {
  const page = new HtmlText()
  const tree = selector === undefined ? undefined : new HtmlTree()
  const links = linksFrom === undefined ? undefined : new HtmlLinks(linksFrom)
  const content = tree ?? page
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > limits.htmlDepth) {
        const reason = `it is nested more than ${limits.htmlDepth} deep`
        throw new SluiceError('file_over_limit', { file: file.name, reason })
      }
      content.open(name, attributes)
      links?.open(name, attributes)
    },
    ontext: (text) => content.text(text),
    onclosetag(name) {
      depth--
      content.close(name)
    },
  })
  parser.end(await decodeText(file.bytes, encoding ?? declaredEncoding(file.bytes)))
  tree?.writeSelected(selector!, page)
  const { text, title } = page.result()
  if (text === '' && !links) return
  const metadata = { ...(title === '' ? {} : { title }), ...(links ? { links: links.found() } : {}) }
  yield { pageContent: text, metadata, last: true }
}

/** HTML: "the element containing the character encoding declaration must be within the first 1024 bytes". */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  return /<meta[^>]+charset\s*=\s*["']?([\w:-]+)/i.exec(head)?.[1]?.toLowerCase()
}
