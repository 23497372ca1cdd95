import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import type { FileParser } from '../contract/file-parser.ts'
import { createFileParser, type FileParserOptions } from './pool.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sluice-pool-')))
const entry = path.resolve(import.meta.dirname, '../../test/support/sabotage-child.ts')
const good = path.join(folder, 'good.txt')
writeFileSync(good, 'good words')
const large = path.join(folder, 'large.txt')
writeFileSync(large, 'line after line of it\n'.repeat(200_000))

const parsers: FileParser[] = []
const parserWith = (options: Partial<FileParserOptions> = {}) => {
  const parser = createFileParser({ readable: [folder], entry, size: 2, ...options })
  parsers.push(parser)
  return parser
}
after(() => Promise.all(parsers.map((parser) => parser.close())))

const read = async (parser: FileParser, name: string, file = good, signal?: AbortSignal) => {
  let text = ''
  for await (const { parts } of parser.parse({ path: file, name, type: 'text' }, signal)) {
    text += parts.map((part) => part.pageContent).join('')
  }
  return text
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** Starts to read a file whose child sends one batch and then hangs; returns when the batch has arrived. */
async function atWork(parser: FileParser, signal?: AbortSignal) {
  const request = { path: good, name: 'begun-then-silent', type: 'text' } as const
  const batches = parser.parse(request, signal)[Symbol.asyncIterator]()
  assert.equal((await batches.next()).done, false)
  return batches
}

const gone = async (pid: number) => {
  for (let tries = 0; tries < 6000 && isAlive(pid); tries++) await sleep(10)
  return !isAlive(pid)
}

test('createFileParser() reads with the child of the product, in the order of the file', async () => {
  const parser = createFileParser({ readable: [folder] })
  parsers.push(parser)
  assert.equal(await read(parser, 'good.txt'), 'good words')
  assert.equal((await read(parser, 'large.txt', large)).length, 22 * 200_000)
})

test('createFileParser() gives a child the next file when it has read one, however slow the caller is', async () => {
  const parser = parserWith({ size: 1 })
  const slow = parser.parse({ path: good, name: 'slow.txt', type: 'text' })[Symbol.asyncIterator]()
  const first = await slow.next()
  assert.equal(await read(parser, 'next.txt'), 'good words')
  assert.equal(first.value!.parts[0]!.pageContent, 'good words')
  assert.equal((await slow.next()).done, true)
  assert.equal(await read(parser, 'last.txt'), 'good words')
})

test('createFileParser() reads in a folder that was created after its child started', async () => {
  const later = path.join(folder, 'later')
  const elsewhere = path.join(folder, 'later-elsewhere.txt')
  const parser = createFileParser({ readable: [later], size: 1 })
  parsers.push(parser)
  await assert.rejects(read(parser, 'elsewhere.txt', elsewhere), { code: 'file_unreadable' })
  mkdirSync(later)
  for (const file of [path.join(later, 'a.txt'), elsewhere]) writeFileSync(file, 'later words')
  assert.equal(await read(parser, 'a.txt', path.join(later, 'a.txt')), 'later words')
  await assert.rejects(read(parser, 'elsewhere.txt', elsewhere), { code: 'file_unreadable' })
})

test('createFileParser() lets each hostile file fail alone, while others are read', async () => {
  const parser = parserWith({ seconds: 1 })
  const cases = [
    ['endless-loop', 'file_timeout'],
    ['silent', 'file_timeout'],
    ['abort', 'file_crashed'],
    ['exit', 'file_crashed'],
    ['throws', 'file_unreadable'],
    ['reads-elsewhere', 'file_unreadable'],
  ] as const
  await Promise.all(
    cases.flatMap(([name, code]) => [
      assert.rejects(read(parser, name), { code }, name),
      read(parser, 'good.txt').then((text) => assert.equal(text, 'good words')),
    ]),
  )
})

test('createFileParser() survives a file that fills the heap or other memory', async () => {
  const parser = parserWith({ size: 1 })
  await assert.rejects(read(parser, 'heap'), { code: 'file_crashed' })
  await assert.rejects(read(parser, 'buffers'), { code: 'file_over_limit' })
  assert.equal(await read(parser, 'good.txt'), 'good words')
})

test('createFileParser() never passes on the message of a library error', async () => {
  await assert.rejects(read(parserWith(), 'throws'), {
    message: 'throws cannot be read: its content is damaged (TypeError)',
  })
})

test('createFileParser() lets a child read only code and the given folders', async () => {
  await assert.rejects(read(parserWith(), 'reads-elsewhere'), {
    message: 'reads-elsewhere cannot be read: the server cannot open it (ERR_ACCESS_DENIED)',
  })
})

test('createFileParser() gives a child no environment but the channel to its parent', async () => {
  assert.match(await read(parserWith(), 'environment'), /^(NODE_CHANNEL_\w+,?|PWD,?|OLDPWD,?|SHLVL,?|_,?)*$/)
})

test('createFileParser() keeps a child for the next file, and replaces it after its limits', async () => {
  const parser = parserWith({ size: 1 })
  const first = Number(await read(parser, 'pid'))
  assert.equal(Number(await read(parser, 'pid')), first)
  for (let file = 2; file < 200; file++) await read(parser, 'pid')
  assert.notEqual(Number(await read(parser, 'pid')), first)
  assert.ok(await gone(first))
})

test('createFileParser() makes a child wait while its batches are not consumed', async () => {
  const parser = parserWith({ size: 1 })
  const batches = parser.parse({ path: good, name: 'endless-text', type: 'text' })[Symbol.asyncIterator]()
  const first = await batches.next()
  const before = process.memoryUsage().heapUsed
  // Another child reads a hundred files meanwhile: without the limit, the first would send much more than this.
  const other = parserWith({ size: 1 })
  for (let file = 0; file < 100; file++) await read(other, 'good.txt')
  assert.ok(process.memoryUsage().heapUsed - before < 20 * 2 ** 20)
  const second = await batches.next()
  assert.deepEqual(
    [first, second].map(({ value }) => value.parts[0].metadata),
    [{ count: 0 }, { count: 1 }],
  )
  await batches.return?.()
  assert.equal(await read(parser, 'good.txt'), 'good words')
})

test('createFileParser() ends the child on abort, at work or in the queue', async () => {
  const parser = parserWith({ size: 1 })
  const pid = Number(await read(parser, 'pid'))
  const control = new AbortController()
  const reason = new Error('no longer wanted')
  const begun = await atWork(parser, control.signal)
  const results = Promise.allSettled([
    begun.next(),
    read(parser, 'good.txt', good, control.signal),
    read(parser, 'good.txt'),
  ])
  control.abort(reason)
  assert.deepEqual(await results, [
    { status: 'rejected', reason },
    { status: 'rejected', reason },
    { status: 'fulfilled', value: 'good words' },
  ])
  assert.ok(await gone(pid))
})

test('createFileParser() reads many files at once under one signal', async () => {
  const parser = parserWith({ size: 2 })
  const { signal } = new AbortController()
  const warnings: Error[] = []
  const warn = (warning: Error) => warnings.push(warning)
  process.on('warning', warn)
  const texts = await Promise.all(Array.from({ length: 300 }, () => read(parser, 'good.txt', good, signal)))
  process.off('warning', warn)
  assert.ok(texts.every((text) => text === 'good words'))
  assert.deepEqual(warnings, [])
})

test('close() ends every child, and reads in progress fail with `stopping`', async () => {
  const parser = parserWith({ size: 2 })
  const pid = Number(await read(parser, 'pid'))
  const reading = [assert.rejects(read(parser, 'endless-loop'), { code: 'stopping' })]
  const begun = await atWork(parser)
  reading.push(assert.rejects(begun.next(), { code: 'stopping' }))
  reading.push(assert.rejects(read(parser, 'good.txt'), { code: 'stopping' }))
  await parser.close()
  await Promise.all(reading)
  assert.ok(await gone(pid))
  await assert.rejects(read(parser, 'good.txt'), { code: 'stopping' })
})

test('a child in an endless loop does not outlive a parent that is killed', async () => {
  const script = `
    import { createFileParser } from ${JSON.stringify(import.meta.resolve('./pool.ts'))}
    const parser = createFileParser({ readable: [], entry: ${JSON.stringify(entry)}, size: 1 })
    const read = async (name) => {
      // To its end: a child whose reading is given up is killed.
      let text = ''
      for await (const { parts } of parser.parse({ path: '', name, type: 'text' })) text += parts[0].pageContent
      return text
    }
    const pid = await read('pid')
    const looping = read('endless-loop')
    console.log(pid)
    await looping`
  const parent = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script])
  const [output] = await once(parent.stdout, 'data')
  const pid = Number(output)
  assert.ok(isAlive(pid))
  parent.kill('SIGKILL')
  assert.ok(await gone(pid))
})
