import type { ChatModel } from '../contract/chat-model.ts'
import { SluiceError } from '../kit/errors.ts'

/** A model that refuses a request with tools, and says so to nodes that would send some. */
export const withoutTools = (model: ChatModel, provider: string): ChatModel => ({
  ...model,
  callsTools: false,
  async *stream(request, signal) {
    if ((request.tools ?? []).length > 0)
      throw new SluiceError('provider_failed', {
        provider,
        stage: 'chat',
        reason: 'its models call no tools',
        hint: 'Take the tools out, or choose another chat model',
      })
    yield* model.stream(request, signal)
  },
})
