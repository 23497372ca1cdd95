import path from 'node:path/posix'
import type { Metadata } from '../../contract/document.ts'
import type { OfficePackage } from '../office/office-package.ts'
import { attribute, type ElementRule, SKIP_ELEMENT } from '../xml.ts'

/** What the package document of a book lists. */
export type EpubPackage = {
  /** `title`, `author`, `language`, `published`, where the book has them. */
  metadata: Metadata
  /** The parts of the chapters, in reading order. */
  chapters: string[]
  /** The title of a part in the table of contents. */
  titles: ReadonlyMap<string, string>
  /** How many pictures the book has. */
  pictures: number
}

type Item = { part: string; mediaType: string; properties: string }

/** Reads the package document of an EPUB 2 or 3 book (EPUB 3.3, 5; OPF 2.0.1). */
export function readEpubPackage(source: OfficePackage): EpubPackage {
  const opf = packagePart(source)
  const items = new Map<string, Item>()
  const spine: string[] = []
  let contents: string | undefined
  const found = new Map<string, string[]>()
  const keep = (key: string): ElementRule => ({
    open: () => found.set(key, [...(found.get(key) ?? []), '']),
    text(text) {
      source.countText(text.length)
      const values = found.get(key)!
      values[values.length - 1] += text
    },
  })
  source.readMain(opf, {
    title: keep('title'),
    creator: keep('author'),
    language: keep('language'),
    date: keep('published'),
    item: {
      open({ id = '', href = '', 'media-type': mediaType = '', properties = '' }) {
        items.set(id, { part: resolveHref(opf, href), mediaType, properties })
      },
    },
    spine: { open: ({ toc }) => (contents = toc) },
    itemref: { open: ({ idref = '' }) => spine.push(idref) },
  })
  const all = [...items.values()]
  const nav = all.find(({ properties }) => /\bnav\b/.test(properties))?.part
  const ncx = (items.get(contents ?? '') ?? all.find(({ mediaType }) => mediaType === NCX))?.part
  const chapters = spine.flatMap((id) => items.get(id) ?? [])
  return {
    metadata: metadataOf(found),
    chapters: [...new Set(chapters.map(({ part }) => part))].filter((part) => part !== nav),
    titles: nav === undefined ? titlesOfNcx(source, ncx) : titlesOfNav(source, nav),
    pictures: all.filter(({ mediaType }) => mediaType.startsWith('image/')).length,
  }
}

const NCX = 'application/x-dtbncx+xml'

/** The package document that the container names. */
function packagePart(source: OfficePackage): string {
  let part: string | undefined
  source.read('META-INF/container.xml', {
    rootfile: { open: (attributes) => (part ??= attribute(attributes, 'full-path')) },
  })
  if (part === undefined || !source.has(part)) source.unreadable('it is not an EPUB book')
  return part
}

function metadataOf(found: ReadonlyMap<string, string[]>): Metadata {
  const metadata: Metadata = {}
  for (const [key, values] of found) {
    const texts = values.map((value) => value.trim()).filter((value) => value !== '')
    if (texts.length > 0) metadata[key] = key === 'author' ? texts.join(', ') : texts[0]!
  }
  return metadata
}

/** The part that an address in another part leads to, without the place in it. */
function resolveHref(from: string, href: string): string {
  const [address = ''] = href.split('#', 1)
  let decoded = address
  try {
    decoded = decodeURIComponent(address)
  } catch {
    // a percent sign that is none of an escape
  }
  return path.join(path.dirname(from), decoded)
}

/** Keeps the first title of each part. */
class Titles {
  readonly found = new Map<string, string>()

  add(part: string, title: string): void {
    const text = title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE)
    if (part !== '' && text !== '' && !this.found.has(part)) this.found.set(part, text)
  }
}

const LONGEST_TITLE = 200

/** The links of the list of contents of EPUB 3; those of landmarks and pages come after it. */
function titlesOfNav(source: OfficePackage, nav: string): ReadonlyMap<string, string> {
  const titles = new Titles()
  let part = ''
  let text = ''
  const write = (piece: string) => {
    text += piece
  }
  source.read(nav, {
    a: {
      open({ href = '' }) {
        part = href === '' ? '' : resolveHref(nav, href)
        text = ''
      },
      text: write,
      close: () => titles.add(part, text),
    },
    span: { text: write },
    em: { text: write },
    i: { text: write },
    b: { text: write },
    strong: { text: write },
    head: SKIP_ELEMENT,
  })
  return titles.found
}

/** The points of navigation of EPUB 2. */
function titlesOfNcx(source: OfficePackage, ncx: string | undefined): ReadonlyMap<string, string> {
  const titles = new Titles()
  let text = ''
  if (ncx !== undefined)
    source.read(ncx, {
      navPoint: { open: () => (text = '') },
      text: {
        open: () => (text = ''),
        text(piece) {
          text += piece
        },
      },
      content: { open: ({ src = '' }) => titles.add(resolveHref(ncx, src), text) },
    })
  return titles.found
}
