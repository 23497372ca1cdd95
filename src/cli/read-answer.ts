import type { z } from 'zod'
import type { Json } from '../kit/json.ts'
import { Failure } from './failure.ts'

/** A shape of `src/api/`, loaded when an answer is read: zod takes about 30 ms to load, and `--help` needs none of it. */
export type LoadShape<S extends z.ZodType> = () => Promise<S>

/**
 * Checks an answer by its shape, which is loaded while the server works.
 *
 * A newer server may answer more: fields that the shape does not have stay in the value, and so does an unknown word where the
 * shape lists words.
 *
 * @param expected what the answer should be, such as `a job`, for the message
 * @returns the answer, unchanged
 * @throws Failure with the name of the field, without its value
 */
export async function readAnswer<S extends z.ZodType>(
  answer: Json | undefined | Promise<Json | undefined>,
  load: LoadShape<S>,
  expected: string,
): Promise<z.output<S> & Json> {
  const [value, shape] = await Promise.all([answer, load()])
  const { error } = shape.safeParse(value, { reportInput: true })
  const issue = error?.issues.find((one) => !isNewWord(one))
  if (!issue) return value as z.output<S> & Json
  throw new Failure(
    `The server’s answer is not ${expected}`,
    [...(issue.path.length > 0 ? [issue.path.join('.')] : []), issue.message].join(': '),
  )
}

const isNewWord = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_value' && typeof issue.input === 'string'
