import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { typed, website } from '../../test/support/website.ts'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import { MAX_PICTURE_BYTES, picturePart } from './pictures.ts'
import { LOOPBACK } from '../../test/support/loopback.ts'

const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
const site = await website({
  '/picture': typed('image/png; q=1', bytes),
  '/page': typed('text/html', '<p>'),
  '/huge': typed('image/png', new Uint8Array(MAX_PICTURE_BYTES + 1)),
})
const egress = createEgress({ rules: createEgressRules({ allow: LOOPBACK }) })
after(() => egress.close())

const part = (url: string, byAddress = false) =>
  picturePart({ type: 'image', url }, { egress, byAddress, signal: new AbortController().signal })

test('picturePart() reads a data URI', async () => {
  const file = { type: 'file', mediaType: 'image/svg+xml' }
  assert.deepEqual(await part('data:image/svg+xml;base64,YWI='), {
    ...file,
    data: { type: 'data', data: 'YWI=' },
  })
  assert.deepEqual(await part('data:image/svg+xml;charset=utf-8,a%62'), {
    ...file,
    data: { type: 'data', data: 'YWI=' },
  })
})

test('picturePart() fetches an address, unless the provider does', async () => {
  const { mediaType, data } = await part(`${site.url}/picture`)
  assert.deepEqual([mediaType, data], ['image/png', { type: 'data', data: Buffer.from(bytes) }])
  const asked = site.asked.length
  const url = new URL(`${site.url}/picture`)
  assert.deepEqual((await part(url.href, true)).data, { type: 'url', url })
  assert.equal(site.asked.length, asked)
})

for (const [what, url, message] of [
  ['a missing page', `${site.url}/missing`, /the server answers 404/],
  ['a page', `${site.url}/page`, /not a picture/],
  ['a picture that is too large', `${site.url}/huge`, /larger than 20 MB/],
  ['a text in a data URI', 'data:text/plain,hello', /contains no picture/],
  ['a data URI without data', 'data:image/png', /contains no picture/],
  ['a file of this machine', 'file:///etc/passwd', /neither an address nor a data URI/],
] as const)
  test(`picturePart() refuses ${what}`, async () => {
    await assert.rejects(part(url), { code: 'fetch_failed', message })
  })

test('picturePart() does not fetch an address that the server may not call', async () => {
  await assert.rejects(part('http://169.254.169.254/latest/meta-data'), { code: 'egress_denied' })
})
