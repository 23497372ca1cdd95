import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calculatorTool } from './calculator-tool.ts'
import { LONGEST_EXPRESSION } from './evaluate.ts'

const calculate = (input: unknown) =>
  calculatorTool().call({ input: input as string }, new AbortController().signal)

for (const [expression, value] of [
  ['2 + 3 * 4', '14'],
  ['(2 + 3) * 4', '20'],
  ['10 - 4 - 3', '3'],
  ['64 / 4 / 2', '8'],
  ['2^3^2', '512'],
  ['-2^2', '-4'],
  ['(-2) ** 2', '4'],
  ['2^-1', '0.5'],
  ['2 * -3', '-6'],
  ['--5', '5'],
  ['10 % 4', '2'],
  ['200 * 15%', '30'],
  ['20% - 3', '-2.8'],
  ['100 * (1 + 5%)^2', '110.25'],
  ['5!', '120'],
  ['3! * 2', '12'],
  ['0.1 + 0.2', '0.3'],
  ['1.5e3 + .5', '1500.5'],
  ['9007199254740991', '9007199254740991'],
  ['2^100', '1.26765060022823e+30'],
  ['1/3', '0.333333333333333'],
  ['-0 * 1', '0'],
  ['3 × 4 − 6 ÷ 2', '9'],
  ['sqrt(16) + abs(-2)', '6'],
  ['round(2.345, 2)', '2.35'],
  ['round(-2.5)', '-3'],
  ['round(1e300, 15)', '1e+300'],
  ['ROUND(pi * 100) / 100', '3.14'],
  ['max(1, 2 + 5, 3) - min(4, 2)', '5'],
  ['mean(1, 2, 6) + median(5, 1, 9, 3)', '7'],
  ['log(e^2) + log10(1000) + log2(8)', '8'],
  ['sin(pi/2) + cos(0)', '2'],
] as const)
  test(`calculator: ${expression} is ${value} [tools:calculator]`, async () => {
    assert.deepEqual(await calculate(expression), { output: value })
  })

for (const [expression, reason] of [
  ['1 +', 'expected a number at its end'],
  ['2 3', 'expected an operator at character 3, found 3'],
  ['(1 + 2', 'expected ) at its end'],
  ['1 + 2)', 'expected an operator at character 6, found )'],
  ['1,000 + 1', 'expected an operator at character 2, found ,'],
  ['1 / (2 - 2)', 'it divides by zero'],
  ['5 % 0', 'it divides by zero'],
  ['sqrt(-1)', 'it has no real value'],
  ['10^400', 'its value is too large'],
  ['171!', '! takes whole numbers from 0 to 170, not 171'],
  ['sqrt(1, 2)', 'sqrt takes 1 values, not 2'],
  ['max()', 'max takes 1 values or more, not 0'],
  ['2 $ 3', '"$" at character 3 is not arithmetic'],
  ['"a"', '"\\"" at character 1 is not arithmetic'],
] as const)
  test(`calculator: ${expression} has no value, and why [tools:calculator]`, async () => {
    const { output, failed } = await calculate(expression)
    assert.deepEqual([output, failed], [`The expression cannot be calculated: ${reason}`, true])
  })

test('calculator: code is not run, and names of objects are unknown [tools:calculator]', async () => {
  for (const code of [
    'process.exit(1)',
    'constructor',
    'toString()',
    '__proto__',
    'globalThis',
    '(() => 1)()',
  ]) {
    const { output, failed } = await calculate(code)
    assert.match(output, /^The expression cannot be calculated: /)
    assert.equal(failed, true, code)
  }
})

test('calculator: what is too long or too deep is refused, and the longest is calculated [tools:calculator]', async () => {
  const nested = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`
  assert.deepEqual(await calculate(nested(99)), { output: '1' })
  assert.match((await calculate(nested(100))).output, /nested more than 100 deep/)
  assert.match((await calculate('-'.repeat(500) + 1)).output, /nested more than 100 deep/)
  assert.match((await calculate(`2${'^2'.repeat(300)}`)).output, /nested more than 100 deep/)
  assert.deepEqual(await calculate(`1${'+1'.repeat((LONGEST_EXPRESSION - 1) / 2)}`), { output: '500' })
  assert.match(
    (await calculate('1'.repeat(LONGEST_EXPRESSION + 1))).output,
    /1001 characters; 1000 are the most/,
  )
  for (const none of ['', '  ', 7, undefined])
    assert.deepEqual(await calculate(none), {
      output: 'Nothing was calculated: input is missing',
      failed: true,
    })
})
