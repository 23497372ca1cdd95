import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentPart } from '../../src/contract/document.ts'
import type { Loader, LoaderItem, UploadedFile } from '../../src/contract/loader.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { collect } from '../support/collect.ts'

export type LoaderUnderTest = {
  /** A new loader; `inputs` are the two that shape metadata, `metadata` and `omitMetadataKeys`. */
  make(inputs?: JsonObject): Loader
  /** Files to upload: two that it reads, the first again under another name and path, one of a type it does not read. */
  /** `refused`: absent for a loader that takes any file. */
  uploads?: { readable: UploadedFile; other: UploadedFile; copy: UploadedFile; refused?: UploadedFile }
  /** Whether it finds items without an upload. */
  hasItems?: true
}

const unstopped = () => new AbortController().signal

async function partsOf(item: LoaderItem): Promise<DocumentPart[]> {
  const batches = await collect(item.read(unstopped()))
  return batches.flatMap(({ parts }) => parts)
}

/** What every item promises, wherever it came from. */
async function checkItem(item: LoaderItem): Promise<void> {
  assert.notEqual(item.name, '')
  assert.notEqual(item.source, '')
  const parts = await partsOf(item)
  assert.ok(parts.length > 0, `${item.name} has documents`)
  assert.ok(parts.some(({ pageContent }) => pageContent.trim() !== ''))
  assert.equal(parts.at(-1)!.last, true, 'the last document is closed')
  for (const { pageContent, metadata, last } of parts) {
    assert.deepEqual([typeof pageContent, typeof last], ['string', 'boolean'])
    assert.deepEqual(JSON.parse(JSON.stringify(metadata)), metadata, 'metadata are JSON')
    assert.equal(typeof metadata.source, 'string')
  }
  assert.deepEqual(await partsOf(item), parts, 'a second reading gives the same')
}

/** What every loader promises, wherever its documents come from; run by each implementation. */
export function loaderSuite(name: string, { make, uploads, hasItems }: LoaderUnderTest): void {
  const promises = (promise: string, check: () => void | Promise<void>) =>
    test(`${name}: the Loader ${promise}`, check)

  promises('has the same id for the same inputs', () => {
    assert.notEqual(make().id, '')
    assert.equal(make().id, make().id)
  })

  promises('takes uploads or fetches items', () => {
    const { uploads: taken, items } = make()
    assert.deepEqual([taken !== undefined, items !== undefined], [uploads !== undefined, hasItems === true])
  })

  promises('dresses metadata: added keys win over those of the document, omitted keys leave last', () => {
    const own = { source: 'a', page: { number: 1, of: 2 }, kept: true }
    assert.deepEqual(make().shapeMetadata(own, { page: 3 }), { source: 'a', page: 3, kept: true })
    const dressed = make({
      metadata: '{"kept": "flow", "team": "x"}',
      omitMetadataKeys: 'page.of, source, late',
    })
    assert.deepEqual(dressed.shapeMetadata(own, { team: 'request', late: 1 }), {
      page: { number: 1 },
      kept: 'flow',
      team: 'request',
    })
    assert.deepEqual(make({ omitMetadataKeys: '*' }).shapeMetadata(own, { added: 1 }), { added: 1 })
    assert.deepEqual(own, { source: 'a', page: { number: 1, of: 2 }, kept: true }, 'what is given stays')
  })

  if (uploads) {
    const { readable, other, copy, refused } = uploads
    const itemOf = async (file: UploadedFile) => (await make().uploads!.item(file))!

    promises('lists the endings that it accepts', () => {
      const { accepts } = make().uploads!
      assert.ok(accepts.length > 0)
      assert.equal(new Set(accepts).size, accepts.length)
    })

    promises('reads an upload as an item that has the name of the file', async () => {
      for (const file of [readable, other]) {
        const item = await itemOf(file)
        assert.deepEqual([item.name, item.source], [file.name, file.name])
        await checkItem(item)
      }
    })

    promises('gives equal content an equal fingerprint, and other content another one', async () => {
      const [one, again, same, different] = await Promise.all([readable, readable, copy, other].map(itemOf))
      assert.notEqual(one!.fingerprint, undefined)
      assert.equal(again!.fingerprint, one!.fingerprint)
      assert.equal(same!.fingerprint, one!.fingerprint)
      assert.notEqual(different!.fingerprint, one!.fingerprint)
    })

    if (refused)
      promises('has no item for an upload of a type that it does not read', async () => {
        assert.equal(await make().uploads!.item(refused), undefined)
      })

    promises(
      'fails for one file alone: a missing one is an error with its name, others are read',
      async () => {
        const loader = make()
        const missing = { ...readable, name: `gone-${readable.name}`, path: `${readable.path}.gone` }
        const reading = async () => {
          const item = await loader.uploads!.item(missing)
          return item && (await partsOf(item))
        }
        await assert.rejects(reading(), (error: Error & { code: string }) => {
          assert.equal(error.code, 'file_unreadable')
          assert.ok(error.message.includes(missing.name))
          assert.ok(!error.message.includes(missing.path), 'a path of this machine is not shown')
          return true
        })
        await checkItem((await loader.uploads!.item(readable))!)
      },
    )
  }

  if (hasItems) {
    promises('finds the same items again, each of which can be read', async () => {
      const loader = make()
      const items = await collect(loader.items!(unstopped()))
      assert.ok(items.length > 0)
      for (const item of items) await checkItem(item)
      const again = await collect(make().items!(unstopped()))
      const facts = ({ name, source, fingerprint }: LoaderItem) => ({ name, source, fingerprint })
      assert.deepEqual(again.map(facts), items.map(facts))
      assert.equal(new Set(items.map((item) => item.name)).size, items.length, 'every item has its own name')
    })
  }
}
