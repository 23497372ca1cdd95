import type { Metadata } from '../../contract/document.ts'
import type { FileLimits } from '../limits.ts'
import { OfficePackage } from './office-package.ts'
import { SKIP_ELEMENT } from '../xml.ts'

/** The part with the document itself; styles, lists and headers are in `styles.xml`. */
export const ODF_CONTENT = 'content.xml'
export const ODF_STYLES = 'styles.xml'

/**
 * Opens an OpenDocument file (ISO 26300, OpenDocument 1.3 part 2).
 *
 * @throws SluiceError `file_unreadable`, `file_encrypted`, `file_over_limit`
 */
export function openOdf(file: { bytes: Uint8Array; name: string }, limits: FileLimits): OfficePackage {
  const source = new OfficePackage(file, limits)
  let isEncrypted = false
  source.read('META-INF/manifest.xml', { 'encryption-data': { open: () => (isEncrypted = true) } })
  if (isEncrypted) source.encrypted()
  return source
}

/** Title, author and times, where the file has them; as those of a Word document are called. */
export function odfProperties(source: OfficePackage): Metadata {
  const found = new Map<string, string>()
  const keep = (key: string) => ({
    text(text: string) {
      source.countText(text.length)
      found.set(key, (found.get(key) ?? '') + text)
    },
  })
  source.read('meta.xml', {
    title: keep('title'),
    'initial-creator': keep('author'),
    creator: keep('lastAuthor'),
    'creation-date': keep('created'),
    date: keep('modified'),
    template: SKIP_ELEMENT,
  })
  const author = found.get('author') ?? found.get('lastAuthor') ?? ''
  const metadata: Metadata = {}
  for (const key of ['title', 'author', 'created', 'modified']) {
    const value = (key === 'author' ? author : (found.get(key) ?? '')).trim()
    if (value !== '') metadata[key] = value
  }
  return metadata
}
