import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SluiceError } from '../../kit/errors.ts'
import { createFileLinks } from './file-links.ts'

const HOUR = 3_600_000

const partsOf = (link: string) => {
  const query = new URL(link, 'http://x').searchParams
  return {
    fileId: query.get('fileId')!,
    expires: Number(query.get('expires')),
    signature: query.get('signature')!,
  }
}

const refused = (work: () => void) =>
  assert.throws(work, (error) => error instanceof SluiceError && error.code === 'link_invalid')

test('check() accepts a link of this server for an hour', () => {
  let now = 1000
  const links = createFileLinks('secret', () => now)
  const parts = partsOf(links.make('file'))
  links.check(parts)
  now += HOUR
  links.check(parts)
  now += 1
  refused(() => links.check(parts))
})

test('check() refuses a changed link and a link of another server', () => {
  const links = createFileLinks('secret', () => 0)
  const parts = partsOf(links.make('file'))
  refused(() => links.check({ ...parts, fileId: 'another' }))
  refused(() => links.check({ ...parts, expires: parts.expires + 1 }))
  refused(() => links.check({ ...parts, signature: '' }))
  refused(() => links.check({ ...parts, signature: parts.signature.slice(0, -2) }))
  refused(() => createFileLinks('another', () => 0).check(parts))
})
