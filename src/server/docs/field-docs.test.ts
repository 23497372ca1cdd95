import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELD_DOCS, fieldDoc, joinFieldDocs } from './field-docs.ts'

test('joinFieldDocs() joins the docs of several resources and refuses a name with two docs', () => {
  const flows = { slug: ['The name in web addresses', 'handbook'] } as const
  const jobs = { state: ['The state', 'done'] } as const
  assert.deepEqual(joinFieldDocs([flows, jobs]), { ...flows, ...jobs })
  assert.throws(
    () => joinFieldDocs([flows, jobs, { slug: ['Another', 'other'] }]),
    /slug has two descriptions/,
  )
})

test('fieldDoc() prefers the doc inside of the parent', () => {
  assert.equal(fieldDoc('path', 'id'), FIELD_DOCS['path.id'])
  assert.equal(fieldDoc('flow', 'id'), FIELD_DOCS.id)
  assert.equal(fieldDoc('flow', 'toString'), undefined)
})
