import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Command, command } from './command.ts'
import { UsageError } from './failure.ts'
import { readLine } from './line.ts'
import { wholeNumber, flag, parsedObject, repeated, oneOf, text } from './options.ts'

const load = command({
  summary: 'Loads',
  args: ['<flow>', '<file>…'],
  options: {
    topK: wholeNumber('how many'),
    mode: oneOf(['fast', 'slow'], 'how'),
    metadata: parsedObject('what'),
    name: text('name', 'who'),
    set: repeated('name=value', 'which'),
    dryRun: flag('whether'),
  },
  settings: ['PORT', 'DATA_DIR', 'ALLOW_OPEN_UPSERT'],
  run: async () => 0,
})

const refusal = (argv: string[], from: Command = load) => {
  try {
    readLine(from, argv)
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error))
    return [error.message, error.hint].filter(Boolean).join('; ')
  }
  assert.fail(`${argv.join(' ')} was taken`)
}

test('readLine() separates arguments from options in any order', () => {
  const line = readLine(load, [
    'quick',
    '--top-k',
    '3',
    'a.txt',
    '--dry-run',
    '--mode=slow',
    '-',
    '--',
    '-b.txt',
  ])
  assert.deepEqual(line.args, ['quick', 'a.txt', '-', '-b.txt'])
  assert.equal(line.options.topK, 3)
  assert.equal(line.options.mode, 'slow')
  assert.equal(line.options.dryRun, true)
})

test('readLine() gives undefined for a missing option, false for a flag, and an empty list for a repeatable option', () => {
  const { options, settings } = readLine(load, ['quick', 'a'])
  assert.deepEqual(options, {
    topK: undefined,
    mode: undefined,
    metadata: undefined,
    name: undefined,
    set: [],
    dryRun: false,
  })
  assert.deepEqual(settings, {})
})

test('readLine() takes the last value of an option, and all values of a repeatable option', () => {
  const { options } = readLine(load, [
    'q',
    'a',
    '--top-k',
    '1',
    '--top-k',
    '2',
    '--set',
    'a=1',
    '--set',
    'b=2',
  ])
  assert.equal(options.topK, 2)
  assert.deepEqual(options.set, ['a=1', 'b=2'])
})

test('readLine() gives settings as texts, a flag among them as true or false', () => {
  const given = ['q', 'a', '--port', '0', '--data-dir=/x']
  assert.deepEqual(readLine(load, [...given, '--allow-open-upsert']).settings, {
    PORT: '0',
    DATA_DIR: '/x',
    ALLOW_OPEN_UPSERT: 'true',
  })
  assert.equal(readLine(load, [...given, '--no-allow-open-upsert']).settings.ALLOW_OPEN_UPSERT, 'false')
})

test('readLine() takes a value that begins with a dash only after an equals sign', () => {
  assert.equal(readLine(load, ['q', 'a', '--name=-x']).options.name, '-x')
  assert.equal(readLine(load, ['q', 'a', '--name', '-']).options.name, '-')
  assert.match(refusal(['q', 'a', '--name', '--dry-run']), /--name needs a value/)
  assert.match(refusal(['q', 'a', '--name']), /--name needs a value: --name=<name>/)
})

test('readLine() refuses an unknown option and suggests the most similar one', () => {
  assert.equal(refusal(['q', 'a', '--prot', '1']), 'there is no option --prot; did you mean --port?')
  assert.equal(refusal(['q', 'a', '--no-port']), 'there is no option --no-port')
  assert.equal(refusal(['q', 'a', '--elephant']), 'there is no option --elephant')
  assert.equal(refusal(['q', 'a', '-x']), 'there is no option -x')
})

test('readLine() refuses invalid values, with the name of the option', () => {
  assert.match(refusal(['q', 'a', '--top-k', 'many']), /^--top-k: expected a whole number, received "many"/)
  assert.match(refusal(['q', 'a', '--top-k=-1']), /^--top-k: /)
  assert.match(refusal(['q', 'a', '--mode', 'odd']), /^--mode: expected fast, slow, received "odd"/)
  assert.match(refusal(['q', 'a', '--metadata', '[1]']), /^--metadata: expected a JSON object/)
  assert.equal(refusal(['q', 'a', '--dry-run=yes']), '--dry-run takes no value')
})

test('readLine() refuses missing and additional arguments', () => {
  assert.equal(refusal([]), '<flow> is missing')
  assert.equal(refusal(['q']), '<file> is missing')
  const one = command({ summary: 'Takes one or none', args: ['[name]'], run: async () => 0 })
  assert.deepEqual(readLine(one, []).args, [])
  assert.equal(refusal(['a', 'b'], one), 'the argument "b" is one too many')
})

test('readLine() accepts --help without the required arguments', () => {
  assert.equal(readLine(load, ['--help']).help, true)
  assert.equal(readLine(load, ['q', '-h']).help, true)
})
