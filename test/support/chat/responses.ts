import type { JsonObject } from '../../../src/kit/json.ts'
import { callsOf, type Protocol, reasonOf, type Speaking, words } from './turn.ts'

/** OpenAI's responses, its newer protocol. */
export const openAIResponses: Protocol = {
  name: 'openai responses',
  path: /^\/v1\/responses$/,
  fault: ({ model, input }) =>
    typeof model === 'string' && Array.isArray(input) ? undefined : 'model and input are required',
  streams: ({ stream }) => stream === true,
  answer: (speaking) => whole(speaking, items(speaking)),
  chunks(speaking) {
    const done = items(speaking)
    const events = [
      { type: 'response.created', response: whole(speaking, []) },
      ...done.flatMap((item, output_index): JsonObject[] => {
        const at = { item_id: item.id!, output_index }
        if (item.type === 'message')
          return [
            { type: 'response.output_item.added', output_index, item: { ...item, content: [] } },
            ...words(speaking.turn).map((delta) => ({
              type: 'response.output_text.delta',
              ...at,
              content_index: 0,
              delta,
              logprobs: [],
            })),
            { type: 'response.output_item.done', output_index, item },
          ]
        return [
          { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } },
          { type: 'response.function_call_arguments.delta', ...at, delta: item.arguments! },
          { type: 'response.output_item.done', output_index, item },
        ]
      }),
      {
        type: reasonOf(speaking.turn) === 'length' ? 'response.incomplete' : 'response.completed',
        response: whole(speaking, done),
      },
    ]
    return events.map((event, sequence_number) => ({ ...event, sequence_number }))
  },
  before: 2,
  contentType: 'text/event-stream',
  frame: (chunk) => (chunk ? `event: ${chunk.type}\ndata: ${JSON.stringify(chunk)}\n\n` : ''),
  error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
}

const whole = (
  { count, model, turn, usage: { input, output } }: Speaking,
  done: JsonObject[],
): JsonObject => ({
  id: `resp_${count}`,
  object: 'response',
  status: reasonOf(turn) === 'length' ? 'incomplete' : 'completed',
  error: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  tools: [],
  tool_choice: 'auto',
  created_at: 1_700_000_000 + count,
  model,
  output: done,
  incomplete_details: reasonOf(turn) === 'length' ? { reason: 'max_output_tokens' } : null,
  usage: {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  },
})

function items({ turn, count }: Speaking): JsonObject[] {
  const text = words(turn).join('')
  return [
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            id: `msg_${count}`,
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...callsOf(turn, count).map(({ id, name, pieces }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: pieces.join(''),
      status: 'completed',
    })),
  ]
}
