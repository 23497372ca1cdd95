import { writeZip, type ZipQuirks } from './zip-writer.ts'

type Chapter = { file: string; body: string; title?: string }
type Extras = ZipQuirks & {
  /** A table of contents of EPUB 3; without it, one of EPUB 2. */
  isVersion3?: boolean
  metadata?: string
  /** Other items of the manifest. */
  items?: string
  parts?: Record<string, string | Uint8Array>
}

/** An EPUB book, with the package document in a folder of its own. */
export function epub(chapters: readonly Chapter[], extras: Extras = {}): Buffer {
  const { isVersion3 = false, metadata = '', items = '', parts = {}, stored = true, ...quirks } = extras
  const listed = chapters.map(
    ({ file }, index) => `<item id="c${index}" href="${file}" media-type="application/xhtml+xml"/>`,
  )
  const refs = chapters.map((_, index) => `<itemref idref="c${index}"/>`)
  const titled = chapters.filter(({ title }) => title !== undefined)
  const contents = isVersion3
    ? `<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>`
    : `<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`
  const links = titled.map(({ file, title }) => `<li><a href="${file}#top"><span>${title}</span></a></li>`)
  const points = titled.map(
    ({ file, title }) =>
      `<navPoint><navLabel><text>${title}</text></navLabel><content src="${file}#top"/></navPoint>`,
  )
  return writeZip(
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container xmlns="c"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      'OEBPS/book.opf': `<package xmlns="p" xmlns:dc="d"><metadata>${metadata}</metadata><manifest>${listed.join('')}${contents}${items}</manifest>
        <spine toc="ncx">${isVersion3 ? '<itemref idref="nav"/>' : ''}${refs.join('')}</spine></package>`,
      'OEBPS/nav.xhtml': `<html xmlns="h"><head><title>Contents</title></head><body><nav><ol>${links.join('')}</ol></nav></body></html>`,
      'OEBPS/toc.ncx': `<ncx xmlns="n"><docTitle><text>Book</text></docTitle><navMap>${points.join('')}</navMap></ncx>`,
      ...Object.fromEntries(
        chapters.map(({ file, body }) => [
          `OEBPS/${decodeURIComponent(file)}`,
          `<?xml version="1.0"?><html xmlns="h"><head><title>no title of a chapter</title></head><body>${body}</body></html>`,
        ]),
      ),
      ...parts,
    },
    { stored, ...quirks },
  )
}
