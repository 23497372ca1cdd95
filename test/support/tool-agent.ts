import type { JsonObject } from '../../src/kit/json.ts'
import { node } from './agent-drawing.ts'

/** The value of an input that another node plugs into. */
const plug = (name: string) => `{{${name}_0.data.instance}}`

/** The inputs of a `chatOpenAICustom` that asks a scripted server. */
export const scriptedModel = (url: string) => ({
  modelName: 'scripted',
  basepath: `${url}/v1`,
  openAIApiKey: 'none',
  streaming: true,
})

/** A tool agent with a memory and one POST tool, as a flow file. `more`: further inputs of the agent. */
export const drawToolAgent = (modelUrl: string, post: JsonObject, more: JsonObject = {}) => ({
  nodes: [
    node('chatOpenAICustom_0', scriptedModel(modelUrl)),
    node('bufferMemory_0'),
    node('requestsPost_0', post),
    node('toolAgent_0', {
      model: plug('chatOpenAICustom'),
      memory: plug('bufferMemory'),
      tools: [plug('requestsPost')],
      ...more,
    }),
  ],
  edges: [],
})
