import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typeNotAccepted } from './type-not-accepted.ts'

test('typeNotAccepted() says how to save a format that no reader reads [formats:convert]', () => {
  const message = (file: string, ...accepts: string[]) => typeNotAccepted(file, accepts).message
  assert.equal(
    message('talk.PPT', '.pdf', '.pptx'),
    'talk.PPT: no loader of this flow reads .PPT (PowerPoint 97-2003: save it as .pptx); accepted: .pdf .pptx',
  )
  assert.match(message('talk.ppt', '.pdf'), /save it as \.pdf\)/)
  // a flow that reads nothing to which it could be saved says nothing of that
  assert.equal(message('talk.ppt', '.csv'), 'talk.ppt: no loader of this flow reads .ppt; accepted: .csv')
  assert.match(message('README', '.csv'), /reads files without an ending; accepted/)
})
