import { InputError } from '../cards/input-error.ts'
import type { ChatModel } from '../contract/chat-model.ts'

/** Refuses a model whose provider lets no model call tools. @throws InputError for the input `model` */
export function requireToolCalls(model: ChatModel | undefined): void {
  if (model?.callsTools === false)
    throw new InputError('model', 'the models of this provider call no tools', {
      instead: 'Use another chat model, or conversationChain without tools',
    })
}
