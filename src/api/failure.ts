import { z } from 'zod'
import { type ErrorBody, type ErrorCode, ERRORS } from '../kit/errors.ts'
import { doc, docs, EXAMPLE_ID } from './doc.ts'

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]

/** The body of every failed request, except on routes of OpenAI's protocol. */
export const failureShape = z.object({
  statusCode: z.number().int().register(docs, doc('The HTTP status', 404)),
  success: z.literal(false).register(docs, doc('Always false')),
  message: z
    .string()
    .register(docs, doc('Why the request failed, in one sentence', 'no flow has the id or slug handbook')),
  stack: z.object({}).register(docs, doc('Always empty', {})),
  code: z.enum(codes).register(docs, doc('The code of the error, see the table of errors', 'flow_not_found')),
  error: z
    .literal('Unauthorized Access')
    .exactOptional()
    .register(docs, doc('Present with status 401, for clients of Flowise')),
  file: z.string().exactOptional().register(docs, doc('The file that caused the failure', 'handbook.pdf')),
  stage: z
    .string()
    .exactOptional()
    .register(
      docs,
      doc('The stage of the job that failed: parse, embed, publish, compare, repair or check', 'parse'),
    ),
  jobId: z
    .string()
    .exactOptional()
    .register(docs, doc('The job that goes on with the work of the request', EXAMPLE_ID)),
  nodeId: z.string().exactOptional().register(docs, doc('The id of the node that failed', 'chatOpenAI_0')),
  input: z.string().exactOptional().register(docs, doc('The input of the node that is wrong', 'chunkSize')),
  hint: z
    .string()
    .exactOptional()
    .register(docs, doc('What to do about it', 'Use a key that has the scope upsert')),
}) satisfies z.ZodType<ErrorBody>

export type FailureAnswer = z.output<typeof failureShape>

/** The body of a failed request on routes of OpenAI's protocol. */
export const openAIFailureShape = z.object({
  error: z
    .object({
      message: z
        .string()
        .register(
          docs,
          doc('Why the request failed, in one sentence', 'no flow has the id or slug handbook'),
        ),
      type: z.string().meta({ description: 'The kind of failure', examples: ['invalid_request_error'] }),
      param: z
        .string()
        .nullable()
        .register(
          docs,
          doc('The field of the request that caused the failure; null where there is none', 'model'),
        ),
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
