import type { Tool } from '../../contract/tool.ts'
import { evaluateExpression, NoResult } from './evaluate.ts'

/** A tool that calculates: the model gives an expression and reads its value. */
export const calculatorTool = (): Tool => ({
  name: 'calculator',
  description:
    'Calculates the value of an arithmetic expression, such as (3 + 4.5) * 2^10 / sqrt(2). It has + - * / ^, % for the remainder or per cent, !, brackets, functions (round, sqrt, log10, sin, min, max, mean …), pi and e. Decimal sign is the point; numbers have no thousands separators.',
  parameters: {
    type: 'object',
    properties: { input: { type: 'string', description: 'The expression' } },
    required: ['input'],
    additionalProperties: false,
  },
  async call({ input }) {
    if (typeof input !== 'string' || input.trim() === '')
      return { output: 'Nothing was calculated: input is missing', failed: true }
    try {
      return { output: writtenNumber(evaluateExpression(input)) }
    } catch (error) {
      if (!(error instanceof NoResult)) throw error
      return { output: `The expression cannot be calculated: ${error.message}`, failed: true }
    }
  },
})

/** A whole number with every digit, any other with 15 digits at most: 0.1 + 0.2 is 0.3. */
const writtenNumber = (value: number): string =>
  String(Number.isSafeInteger(value) ? value + 0 : Number(value.toPrecision(15)))
