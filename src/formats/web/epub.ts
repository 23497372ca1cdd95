import { readEpubPackage } from './epub-package.ts'
import { readPage } from './html.ts'
import { OfficePackage } from '../office/office-package.ts'
import type { FormatReader } from '../reader.ts'
import { attribute, SKIP_ELEMENT } from '../xml.ts'

/**
 * Reads an EPUB book: a document of markdown per chapter, in reading order. Metadata: `chapter` (its title in the table
 * of contents), `chapterNumber` (from 1), and of the book `title`, `author`, `language`, `published`, where it has
 * them. The table of contents itself is left out: it repeats the titles.
 */
export const readEpub: FormatReader = async function* (file, _options, limits) {
  const source = new OfficePackage(file, limits)
  const book = readEpubPackage(source)
  const locked = lockedParts(source)
  for (const [index, part] of book.chapters.entries()) {
    if (locked.has(part)) source.encrypted()
    const bytes = source.bytes(part)
    if (!bytes) {
      if (!source.has(part)) source.note(`chapter ${index + 1} is missing in the book`)
      continue
    }
    const { page } = await readPage({ bytes, name: file.name }, {}, limits)
    const { text } = page.result()
    if (text === '') continue
    source.countText(text.length)
    const chapter = book.titles.get(part)
    const metadata = {
      ...book.metadata,
      ...(chapter === undefined ? {} : { chapter }),
      chapterNumber: index + 1,
    }
    yield { pageContent: text, metadata, last: true }
  }
  source.drop('picture', undefined, book.pictures)
  yield* source.report()
}

/** The parts that are encrypted, other than by the obfuscation of fonts (EPUB 3.3, 4.2.6.3.2). */
function lockedParts(source: OfficePackage): ReadonlySet<string> {
  const locked = new Set<string>()
  let method = ''
  source.read('META-INF/encryption.xml', {
    EncryptedData: { open: () => (method = '') },
    EncryptionMethod: { open: (attributes) => (method = attribute(attributes, 'Algorithm') ?? '') },
    CipherReference: {
      open(attributes) {
        if (!FONTS.has(method)) locked.add(decodeURI(attribute(attributes, 'URI') ?? ''))
      },
    },
    KeyInfo: SKIP_ELEMENT,
  })
  return locked
}

const FONTS: ReadonlySet<string> = new Set([
  'http://www.idpf.org/2008/embedding',
  'http://ns.adobe.com/pdf/enc#RC',
])
