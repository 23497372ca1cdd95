import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { saying, writeProgram } from '../../../test/support/scans.ts'
import { until } from '../../../test/support/until.ts'
import { createOcr, type Ocr } from './ocr-program.ts'

const HEAD = { width: 4, height: 2, dpi: 300 }

async function readPage(ocr: Ocr, signal?: AbortSignal) {
  const page = await ocr.begin(HEAD, 'deu', signal)
  await page.write(new Uint8Array(8))
  return page.answer
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('createOcr() gives a page to the program as grey pixels, with its languages, in one thread', async (t) => {
  const body = `echo "$@"; echo "threads $OMP_THREAD_LIMIT"; env | sed 's/=.*//' | sort | tr '\\n' ' '; echo; od -An -c | tr -s ' '`
  const ocr = createOcr({ program: writeProgram(t, body), pages: 5 })
  const answer = await readPage(ocr)
  assert.ok('tsv' in answer)
  const [args, threads, environment, ...bytes] = Buffer.from(answer.tsv).toString().split('\n')
  assert.equal(args, 'stdin stdout -l deu --psm 1 --dpi 300 tsv')
  assert.equal(threads, 'threads 1')
  assert.match(environment!, /^(LC_ALL |OMP_THREAD_LIMIT |PWD |OLDPWD |SHLVL |_ )+$/)
  assert.equal(bytes.join('').trim(), String.raw`P 5 \n 4 2 \n 2 5 5 \n \0 \0 \0 \0 \0 \0 \0 \0`)
})

test('offer() names a language that is not installed, and those that are [upsert:ocr:lacking]', async (t) => {
  const offer = (languages: string[] | undefined, installed?: string) =>
    createOcr({ program: writeProgram(t, 'exit 1', installed), pages: 5 }).offer(languages)
  assert.deepEqual(await offer(undefined), { languages: 'eng', pages: 5 })
  assert.deepEqual(await offer(['deu', 'eng']), { languages: 'deu+eng', pages: 5 })
  assert.deepEqual(await offer(undefined, 'fra\\nosd'), { languages: 'fra', pages: 5 })
  assert.deepEqual(await offer(['fra', 'deu']), {
    lacking: 'the language fra is not installed for tesseract (installed: deu, eng)',
  })
  assert.deepEqual(await offer(undefined, 'osd'), {
    lacking: 'the language eng is not installed for tesseract (installed: none)',
  })
  const none = createOcr({ program: '/nowhere/tesseract', pages: 5 })
  assert.deepEqual(await none.offer(undefined), {
    lacking: 'the program tesseract, which reads them, is not installed',
  })
  const off = createOcr({ program: 'off', pages: 5 })
  assert.deepEqual(await off.offer(['deu']), { lacking: 'OCR is turned off (TESSERACT=off)' })
})

test('createOcr() ends a program that hangs, fails or writes without end, and reads the next page [upsert:ocr:limits]', async (t) => {
  const after = async (body: string, seconds = 60) => {
    const ocr = createOcr({ program: writeProgram(t, body), pages: 5, atOnce: 1, seconds })
    return [await readPage(ocr), await readPage(ocr)]
  }
  const twice = (failed: string) => [{ failed }, { failed }]
  assert.deepEqual(await after('exec sleep 3600', 1), twice('it took longer than 1 seconds'))
  assert.deepEqual(await after('exit 3'), twice('it ended with an error'))
  assert.deepEqual(await after('kill -SEGV $$'), twice('it ended with an error'))
  assert.deepEqual(await after('exec yes'), twice('it wrote too much'))
  // It may write no file, whatever it reads.
  assert.deepEqual(await after('echo x > "$0.out" || exit 1; cat "$0.out"'), twice('it ended with an error'))
})

test('createOcr() ends the program when the file is cancelled, and all of them when it is closed', async (t) => {
  const program = writeProgram(t, 'exec sleep 3600')
  const children = () =>
    readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number)
  const before = new Set(children())
  const ocr = createOcr({ program, pages: 5, atOnce: 2 })
  const control = new AbortController()
  const answers = [readPage(ocr, control.signal), readPage(ocr)]
  const waiting = new AbortController()
  const third = assert.rejects(readPage(ocr, waiting.signal), { message: 'no longer wanted' })
  const mine = () => children().filter((pid) => !before.has(pid))
  await until(() => mine().length === 2)
  const [first, second] = mine() as [number, number]
  waiting.abort(new Error('no longer wanted'))
  await third
  control.abort()
  await answers[0]
  await until(() => [first, second].filter(isAlive).length === 1)
  ocr.close()
  await answers[1]
  await until(() => ![first, second].some(isAlive))
})

test('createOcr() lets pages wait while as many are read as may be at once', async (t) => {
  const ocr = createOcr({ program: writeProgram(t, saying('words')), pages: 5, atOnce: 1 })
  const answers = await Promise.all([1, 2, 3].map(() => readPage(ocr)))
  assert.ok(answers.every((answer) => 'tsv' in answer))
})
