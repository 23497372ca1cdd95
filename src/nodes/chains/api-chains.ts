import { anchor } from '../../cards/anchors.ts'
import { defineNode } from '../../cards/define-node.ts'
import { objectField, textField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import { describedApiTool, serversIn } from '../../tools/described-api.ts'
import { readHeaders } from '../../tools/request-headers.ts'
import { requireToolCalls } from '../calls-tools.ts'
import { mayCall } from '../may-call.ts'

/** A chain that calls an API which is described in words: the model writes the address, and reads the answer. */
function apiChain(method: 'GET' | 'POST') {
  const name = method === 'GET' ? 'getApiChain' : 'postApiChain'
  return defineNode({
    kind: 'answerer',
    name,
    label: `${method} API Chain`,
    version: 1,
    category: 'Chains',
    type: `${method}ApiChain`,
    baseClasses: [`${method}ApiChain`, 'BaseChain', 'Runnable'],
    description: `Lets a chat model send ${method} requests to an API that is described in words, and answer from what it says`,
    fillsTexts: true,
    fields: {
      apiDocs: textField('API Documentation', '', {
        main: true,
        multiline: true,
        required: true,
        guard: 'url',
        description: 'What the model reads. Only the servers whose addresses stand in it are called',
      }),
      headers: objectField('Headers', {
        additional: true,
        guard: 'credential',
        description: 'Sent with every call. The model does not see them',
      }),
    },
    anchors: { model: anchor('chatModel', 'Tool Calling Chat Model', 'BaseChatModel') },
    build({ values: { apiDocs, headers }, parts: { model } }, context) {
      requireToolCalls(model)
      const servers = serversIn(apiDocs)
      if (servers.length === 0) throw new InputError('apiDocs', 'it names no address of a server, https://…')
      for (const server of servers) mayCall(context, server, 'apiDocs', context.egress)
      const api = { method, description: apiDocs, headers: readHeaders(headers) }
      const tool = describedApiTool(api, context.egress)
      return {
        type: 'toolAgent',
        model: model!,
        moderations: [],
        tools: [{ tools: async () => [tool] }],
        systemMessage: `Answer the question by calls of this API. Ask it for no more than the question needs.\n\n${apiDocs}`,
        maxIterations: 15,
        asksBeforeChanges: false,
      }
    },
  })
}

export const getApiChain = apiChain('GET')
export const postApiChain = apiChain('POST')
