import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  choiceField,
  fileField,
  flagField,
  isEmptyInput,
  numberField,
  objectField,
  textField,
  textListField,
} from './field.ts'
import type { Field } from '../contract/field.ts'

/** Fields, and the values that they read from raw values of flow files. */
const reads: [string, Field<unknown>, [unknown, unknown][]][] = [
  [
    'textField()',
    textField('T', ''),
    [
      ['a', 'a'],
      [' ', ' '],
      [7, '7'],
      [0, '0'],
    ],
  ],
  [
    'numberField()',
    numberField('N', 1),
    [
      ['1000', 1000],
      [' 2.5 ', 2.5],
      [0, 0],
      ['-1', -1],
      ['1e3', 1000],
    ],
  ],
  [
    'number() with a range',
    numberField('N', 1, { min: 0, max: 9, whole: true }),
    [
      ['0', 0],
      [9, 9],
    ],
  ],
  [
    'flagField()',
    flagField('F', false),
    [
      [true, true],
      ['false', false],
      ['true', true],
    ],
  ],
  ['choiceField()', choiceField('C', ['a', 'b'], 'a'), [['b', 'b']]],
  [
    'objectField()',
    objectField('O'),
    [
      [{ a: 1 }, { a: 1 }],
      ['{"a":{"b":1}}', { a: { b: 1 } }],
      [{}, {}],
    ],
  ],
  [
    'textListField()',
    textListField('L'),
    [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
      ['["\\n\\n",", "]', ['\n\n', ', ']],
      ['a, b ,,c', ['a', 'b', 'c']],
    ],
  ],
  [
    'fileField()',
    fileField('F', '.txt'),
    [
      ['FILE-STORAGE::a.txt', 'FILE-STORAGE::a.txt'],
      [['a', 'b'], '["a","b"]'],
    ],
  ],
]

for (const [name, field, rows] of reads)
  for (const [raw, expected] of rows)
    test(`${name} reads ${JSON.stringify(raw)}`, () => assert.deepEqual(field.read(raw), expected))

for (const [name, field, raw, reason] of [
  ['textField()', textField('T', ''), { a: 1 }, 'expected a text, received an object'],
  ['textField()', textField('T', ''), true, 'expected a text, received true'],
  ['numberField()', numberField('N', 1), 'many', 'expected a number, received "many"'],
  ['numberField()', numberField('N', 1), ' ', 'expected a number, received " "'],
  ['numberField()', numberField('N', 1), 'Infinity', 'expected a number, received "Infinity"'],
  ['numberField()', numberField('N', 1), [1], 'expected a number, received a list'],
  ['numberField()', numberField('N', 1, { whole: true }), '1.5', 'expected a whole number, received 1.5'],
  ['numberField()', numberField('N', 1, { min: 1 }), 0, 'expected at least 1, received 0'],
  ['numberField()', numberField('N', 1, { max: 9 }), '10', 'expected at most 9, received 10'],
  ['flagField()', flagField('F', false), 'yes', 'expected true or false, received "yes"'],
  ['flagField()', flagField('F', false), 1, 'expected true or false, received 1'],
  ['choiceField()', choiceField('C', ['a', 'b'], 'a'), 'c', 'expected one of a, b, received "c"'],
  ['objectField()', objectField('O'), '{', 'expected a JSON object, received text that is not one'],
  ['objectField()', objectField('O'), '[1]', 'expected a JSON object, received text that is not one'],
  ['objectField()', objectField('O'), [1], 'expected a JSON object, received a list'],
  ['textListField()', textListField('L'), '["a", 1]', 'expected a list of texts, received "['],
  ['textListField()', textListField('L'), '[', 'expected a list of texts'],
  ['fileField()', fileField('F', '.txt'), 7, 'expected a file, received 7'],
] as [string, Field<unknown>, unknown, string][])
  test(`${name} refuses ${JSON.stringify(raw)}: ${reason}`, () => {
    assert.throws(
      () => field.read(raw),
      (error: unknown) => error instanceof Error && error.message.startsWith(reason),
    )
  })

test('flagField() reads the boolean words of Python and of JSON', () => {
  const { read } = flagField('Switch', false)
  assert.deepEqual(['True', 'False', 'true', 'false', true].map(read), [true, false, true, false, true])
  assert.throws(() => read('yes'), /expected true or false/)
})

test('isEmptyInput() is true for absent, null and empty text, and false for any other value', () => {
  for (const raw of [undefined, null, '']) assert.equal(isEmptyInput(raw), true)
  for (const raw of [0, false, ' ', [], {}]) assert.equal(isEmptyInput(raw), false)
})
