/** A node of a drawing. */
export const node = (id: string, inputs: Record<string, unknown> = {}, category = '') => ({
  id,
  data: { id, name: id.replace(/_\d+$/, ''), label: id, category, inputs },
})

/** A node of an agent flow. */
export const step = (id: string, inputs: Record<string, unknown> = {}) => ({
  ...node(id, inputs, 'Agent Flows'),
  type: 'agentFlow',
})

/** Edges of an agent flow: `"start_0 > agent_0"`, and `"condition_0 1> agent_1"` from the second way out. */
export const steps = (...drawn: string[]) =>
  drawn.map((text) => {
    const [, source, way, target] = /^(\S+) (\d*)> (\S+)$/.exec(text)!
    const sourceHandle = `${source}-output-${way === '' ? source!.replace(/_\d+$/, '') : way}`
    return { source, target, sourceHandle, targetHandle: target, type: 'agentFlow' }
  })

/** Where an agent flow begins. */
export const start = (inputs = {}) => step('startAgentflow_0', { startState: '', ...inputs })

/** An agent with the model of a script. */
export const agent = (number: number, inputs = {}, script = 'model') =>
  step(`agentAgentflow_${number}`, {
    agentModel: 'scripted',
    agentModelConfig: { script },
    agentMessages: '',
    agentTools: '',
    ...inputs,
  })

/** The same for a node that asks its model once. */
export const llm = (number: number, inputs = {}, script = 'model') =>
  step(`llmAgentflow_${number}`, { llmModel: 'scripted', llmModelConfig: { script }, ...inputs })

/** A tool of an agent: one of `props`. */
export const props = (only: string, asks: boolean | string = '') => ({
  agentSelectedTool: 'props',
  agentSelectedToolConfig: { only },
  agentSelectedToolRequiresHumanInput: asks,
})

/** An agent flow of one agent. */
export const oneAgent = (inputs = {}) => ({
  nodes: [start(), agent(0, inputs)],
  edges: steps('startAgentflow_0 > agentAgentflow_0'),
})
