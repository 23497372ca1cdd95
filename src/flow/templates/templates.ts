import { SluiceError } from '../../kit/errors.ts'
import { didYouMean } from '../../kit/suggest.ts'
import { answeringNodes, documentNodes } from './document-nodes.ts'
import { EVENTS_PROMPT, eventTools } from './event-tools.ts'
import { type FlowTemplate, instance } from './template.ts'

export const quickstart: FlowTemplate = {
  name: 'quickstart',
  title: 'Files to search',
  about: 'Takes files of any known type and finds passages in them; needs no key',
  ...documentNodes({ name: 'fileLoader' }),
}

const pdf = documentNodes({ name: 'pdfFile' })
const website = documentNodes({
  name: 'cheerioWebScraper',
  inputs: { relativeLinksMethod: 'webCrawl' },
  overridable: [],
})

const agentNodes = (tools: string[], systemMessage: string): FlowTemplate['nodes'] => ({
  chatOpenAI_0: { name: 'chatOpenAI', x: 360, y: 0, inputs: { temperature: 0 } },
  bufferMemory_0: { name: 'bufferMemory', x: 360, y: 480, inputs: {} },
  toolAgent_0: {
    name: 'toolAgent',
    x: 740,
    y: 160,
    inputs: {
      tools: tools.map(instance),
      model: instance('chatOpenAI_0'),
      memory: instance('bufferMemory_0'),
      systemMessage,
    },
  },
})

const EVENT_TOOLS = eventTools('http://127.0.0.1:5566')

/** All templates, in the order in which they are listed. */
export const TEMPLATES: readonly FlowTemplate[] = [
  quickstart,
  {
    name: 'pdf-knowledge-base',
    title: 'PDF knowledge base',
    about: 'Takes PDF files page by page and answers from them, with page numbers',
    nodes: { ...pdf.nodes, ...answeringNodes },
    overridable: pdf.overridable,
  },
  {
    name: 'website',
    title: 'Web site',
    about: 'Reads a web site from one address on and answers from its pages',
    nodes: { ...website.nodes, ...answeringNodes },
    overridable: website.overridable,
    asks: ['url'],
  },
  {
    name: 'event-agent',
    title: 'Event agent with request tools',
    about:
      'Looks after the events of the event service (sluice events) with five HTTP tools; needs EGRESS_ALLOW=127.0.0.1:5566',
    nodes: {
      ...Object.fromEntries(
        EVENT_TOOLS.map(([name, inputs], at) => [`${name}_0`, { name, x: 0, y: at * 220, inputs }]),
      ),
      ...agentNodes(
        EVENT_TOOLS.map(([name]) => `${name}_0`),
        EVENTS_PROMPT,
      ),
    },
  },
  {
    name: 'openapi-agent',
    title: 'Agent with an OpenAPI toolkit',
    about: 'Calls the operations of an API that an OpenAPI description lists',
    nodes: {
      openAPIToolkit_0: { name: 'openAPIToolkit', x: 0, y: 0, inputs: { inputType: 'link' } },
      ...agentNodes(
        ['openAPIToolkit_0'],
        'You call an HTTP API for the user. Say what you did, and what the API answered.',
      ),
    },
    asks: ['openApiLink'],
  },
  {
    name: 'agent-flow',
    title: 'Agent flow',
    about:
      'Steps that run one after another: an agent that knows the time, looks into quickstart, and replies',
    steps: ['startAgentflow_0', 'agentAgentflow_0'],
    nodes: {
      startAgentflow_0: { name: 'startAgentflow', x: 0, y: 0, inputs: { startInputType: 'chatInput' } },
      agentAgentflow_0: {
        name: 'agentAgentflow',
        x: 260,
        y: 0,
        inputs: {
          agentModel: 'chatOpenAI',
          agentModelConfig: { agentModel: 'chatOpenAI', modelName: 'gpt-4o-mini', temperature: 0 },
          agentMessages: [
            { role: 'system', content: 'Answer from the documents where they help. Name the source.' },
          ],
          agentTools: [
            {
              agentSelectedTool: 'currentDateTime',
              agentSelectedToolConfig: { agentSelectedTool: 'currentDateTime' },
              agentSelectedToolRequiresHumanInput: '',
            },
          ],
          agentKnowledgeDocumentStores: [
            {
              documentStore: 'quickstart:Quickstart',
              docStoreDescription: 'Searches the documents of the flow quickstart',
              returnSourceDocuments: true,
            },
          ],
          agentEnableMemory: true,
          agentReturnResponseAs: 'userMessage',
        },
      },
    },
  },
]

/** @throws SluiceError `template_not_found`, which lists the templates */
export function findTemplate(name: string): FlowTemplate {
  const found = TEMPLATES.find((template) => template.name === name)
  if (found) return found
  const names = TEMPLATES.map((template) => template.name)
  throw new SluiceError('template_not_found', {
    name,
    known: names.join(', '),
    ...hintOf(didYouMean(name, names)),
  })
}

const hintOf = (hint: string | undefined) => (hint === undefined ? {} : { hint })
