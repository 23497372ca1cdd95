import { z } from 'zod'
import { type ErrorBody, type ErrorCode, ERRORS } from '../kit/errors.ts'

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]

/** The body of every failed request, except on routes of OpenAI's protocol. */
export const failureShape = z.object({
  statusCode: z.number().int(),
  success: z.literal(false),
  message: z.string(),
  stack: z.object({}),
  code: z.enum(codes),
  error: z.literal('Unauthorized Access').exactOptional(),
  file: z.string().exactOptional(),
  stage: z.string().exactOptional(),
  nodeId: z.string().exactOptional(),
  input: z.string().exactOptional(),
  hint: z.string().exactOptional(),
}) satisfies z.ZodType<ErrorBody>

export type FailureAnswer = z.output<typeof failureShape>

/** The body of a failed request on routes of OpenAI's protocol. */
export const openAIFailureShape = z.object({
  error: z
    .object({
      message: z.string(),
      type: z.string().meta({ description: 'The kind of failure', examples: ['invalid_request_error'] }),
      param: z.string().nullable(),
      code: z.string().meta({
        description: 'The code of the error, by its name in OpenAI’s protocol where it has one',
        examples: ['model_not_found'],
      }),
    })
    .meta({
      description: 'The failure',
      examples: [
        {
          message: 'no flow has the id or slug handbook',
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      ],
    }),
})

export type OpenAIFailure = z.output<typeof openAIFailureShape>
